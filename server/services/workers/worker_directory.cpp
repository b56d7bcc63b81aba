#include "server/services/workers/worker_directory.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "server/services/database/database_connections.hpp"
#include "server/services/workers/row_text.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

using std::chrono::steady_clock;

// A row as SOCI reads and writes it.
struct WorkerRow {
    std::string id, name, address, role, devices; // a device per line
    long long viewer_slots = 0, draw_slots = 0, viewers = 0, draws = 0, imports = 0, started = 0,
              heartbeat = 0, alive = 0;

    WorkerRow() = default;
    explicit WorkerRow(const api::Worker& worker)
        : id(worker.id), name(worker.name), address(worker.address), role(worker.role),
          devices(fmt::format("{}", fmt::join(worker.devices, "\n"))), viewer_slots(worker.viewer_slots),
          draw_slots(worker.draw_slots), viewers(worker.load.viewers), draws(worker.load.draws),
          imports(worker.load.imports)
    {
    }

    api::Worker worker() const
    {
        const auto count = [](long long number) { return static_cast<std::uint32_t>(number); };
        api::Worker worker{.id = id, .name = name, .address = address, .role = role};
        for (std::size_t at = 0; at < devices.size();) {
            const auto end = std::min(devices.find('\n', at), devices.size());
            worker.devices.push_back(devices.substr(at, end - at));
            at = end + 1;
        }
        worker.viewer_slots = count(viewer_slots);
        worker.draw_slots = count(draw_slots);
        worker.load = {.viewers = count(viewers), .draws = count(draws), .imports = count(imports)};
        worker.started = started;
        worker.heartbeat = heartbeat;
        worker.is_alive = alive != 0;
        return worker;
    }
};

// `rest`: conditions and order of the SELECT.
std::vector<api::Worker> read_workers(DatabaseConnection& sql, std::chrono::milliseconds max_silence,
                                      std::string_view rest, long long limit)
{
    WorkerRow row;
    const long long silence = to_micros(max_silence);
    std::vector<api::Worker> workers;
    PreparedStatement st =
        (sql.prepare << fmt::format(
             "SELECT id, name, address, role, devices, viewer_slots, draw_slots, viewers, draws, imports, "
             "started, heartbeat, alive FROM (SELECT w.*, CASE WHEN heartbeat > now_micros() - :silence "
             "THEN 1 ELSE 0 END AS alive FROM workers w) AS found {} LIMIT :limit",
             rest),
         into(row.id), into(row.name), into(row.address), into(row.role), into(row.devices),
         into(row.viewer_slots), into(row.draw_slots), into(row.viewers), into(row.draws), into(row.imports),
         into(row.started), into(row.heartbeat), into(row.alive), use(silence), use(limit));
    for (st.execute(); st.fetch();)
        workers.push_back(row.worker());
    return workers;
}

} // namespace

WorkerDirectory::WorkerDirectory(DatabaseConnections& database, const WorkerTimes& times)
    : database_(database), times_(times)
{
}

std::vector<api::Worker> WorkerDirectory::live_workers()
{
    const auto now = steady_clock::now();
    {
        const std::lock_guard lock(mutex_);
        if (read_ != steady_clock::time_point() && now - read_ < times_.cache) return live_;
    }
    auto live = database_.read([&](DatabaseConnection& sql) {
        return read_workers(sql, times_.max_silence, "WHERE alive = 1 ORDER BY id", max_workers);
    });
    const std::lock_guard lock(mutex_);
    live_ = live;
    read_ = now;
    return live;
}

std::vector<api::Worker> WorkerDirectory::list(std::size_t limit) const
{
    const auto rows = static_cast<long long>(std::clamp<std::size_t>(limit, 1, max_workers));
    return database_.read([&](DatabaseConnection& sql) {
        return read_workers(sql, times_.max_silence, "ORDER BY started DESC, id", rows);
    });
}

void WorkerDirectory::put(const api::Worker& worker) const
{
    const WorkerRow row(worker);
    const long long keep = to_micros(times_.keep);
    database_.write_unsynced([&](DatabaseConnection& sql) {
        sql << "INSERT INTO workers (id, name, address, role, devices, viewer_slots, draw_slots, viewers, "
               "draws, imports, started, heartbeat) VALUES (:id, :name, :address, :role, :devices, :vs, :ds, "
               ":viewers, :draws, :imports, now_micros(), now_micros()) ON CONFLICT (id) DO UPDATE SET "
               "name = excluded.name, address = excluded.address, role = excluded.role, "
               "devices = excluded.devices, viewer_slots = excluded.viewer_slots, "
               "draw_slots = excluded.draw_slots, viewers = excluded.viewers, draws = excluded.draws, "
               "imports = excluded.imports, heartbeat = excluded.heartbeat",
            use(row.id), use(row.name), use(row.address), use(row.role), use(row.devices),
            use(row.viewer_slots), use(row.draw_slots), use(row.viewers), use(row.draws), use(row.imports);
        sql << fmt::format("DELETE FROM workers WHERE id IN (SELECT id FROM workers WHERE heartbeat < "
                           "now_micros() - :keep{})",
                           sql.dialect.words().skip_locked),
            use(keep);
    });
}

void WorkerDirectory::remove(const std::string& id) const
{
    database_.write_unsynced(
        [&](DatabaseConnection& sql) { sql << "DELETE FROM workers WHERE id = :id", use(id); });
}

} // namespace vitrine::server
