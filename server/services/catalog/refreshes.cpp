// Refreshes of what the catalog stores about models: after an upgrade, by jobs of their own.

#include <algorithm>

#include <fmt/format.h>

#include "api/facts_version.hpp"
#include "server/services/catalog/catalog_impl.hpp"
#include "server/services/catalog/rows.hpp"
#include "server/services/visibility/visibility.hpp"
#include "server/util/ids.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

constexpr long long max_kept_refreshes = 1'000; // the newest that have succeeded
// Turns of refreshes: those that requests wait for come first.
constexpr long long wanted_turn = 0;
constexpr long long other_turn = 1;

struct StaleAsset {
    std::string id;
    long long version = 0;
};

// Versions whose facts this code should make and that have no refresh; append conditions and an order.
constexpr std::string_view select_stale =
    "SELECT a.id, a.version FROM versions v JOIN assets a ON a.id = v.asset AND a.version = v.number "
    "WHERE v.format <> '' AND v.facts_tried < :code AND a.deleted = 0 AND a.status <> 'importing' "
    "AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.kind = 'refresh' AND j.asset = a.id AND j.finished = 0) ";

std::vector<StaleAsset> find_stale(DatabaseConnection& sql, long long limit)
{
    const long long code = api::facts_version;
    StaleAsset row;
    std::vector<StaleAsset> found;
    PreparedStatement select = (sql.prepare << std::string(select_stale) +
                                                   "ORDER BY v.facts_tried, v.size_bytes, a.seq LIMIT :limit",
                                into(row.id), into(row.version), use(code), use(limit));
    for (select.execute(); select.fetch();)
        found.push_back(row);
    return found;
}

std::optional<StaleAsset> find_stale(DatabaseConnection& sql, const std::string& id)
{
    const long long code = api::facts_version;
    StaleAsset row;
    sql << std::string(select_stale) + "AND a.id = :id", into(row.id), into(row.version), use(code), use(id);
    return sql.got_data() ? std::optional(std::move(row)) : std::nullopt;
}

long long count_queued(DatabaseConnection& sql)
{
    long long queued = 0;
    sql << "SELECT COUNT(*) FROM jobs WHERE kind = 'refresh' AND finished = 0", into(queued);
    return queued;
}

JobRecord insert_refresh(DatabaseConnection& sql, const StaleAsset& asset, long long turn)
{
    const auto id = new_id("job");
    const long long instant = now();
    sql << "INSERT INTO jobs (id, kind, asset, version, state, stage, created, turn, priority) "
           "VALUES (:id, 'refresh', :asset, :version, 'queued', 'load', :created, :turn, 'bulk')",
        use(id), use(asset.id), use(asset.version), use(instant), use(turn);
    send_signal(sql, "jobs");
    return *find_job_row(sql, id);
}

void remove_old_refreshes(DatabaseConnection& sql)
{
    sql << "DELETE FROM jobs WHERE kind = 'refresh' AND state = 'succeeded' AND seq <= "
           "(SELECT seq FROM jobs WHERE kind = 'refresh' AND state = 'succeeded' ORDER BY seq DESC "
           "LIMIT 1 OFFSET :kept)",
        use(max_kept_refreshes);
}

std::vector<JobRecord> queue_wanted(DatabaseConnection& sql, std::span<const std::string> wanted)
{
    std::vector<JobRecord> jobs;
    for (const auto& id : wanted) {
        sql << "UPDATE jobs SET turn = :turn WHERE kind = 'refresh' AND asset = :asset AND finished = 0",
            use(wanted_turn), use(id);
        if (const auto asset = find_stale(sql, id)) jobs.push_back(insert_refresh(sql, *asset, wanted_turn));
    }
    return jobs;
}

// Of versions that requests without a version read and that meet the condition on the columns of facts,
// outside the trash. The counts read indexes alone, apart from assets in the trash or with several versions.
std::uint64_t count_versions(DatabaseConnection& sql, const std::string& condition)
{
    const long long code = api::facts_version;
    long long all = 0, trash = 0, others = 0;
    sql << "SELECT COUNT(*) FROM versions v WHERE v.format <> '' AND " + condition, into(all), use(code);
    sql << "SELECT COUNT(*) FROM assets a WHERE a.deleted > 0 AND EXISTS (SELECT 1 FROM versions v "
           "WHERE v.asset = a.id AND v.number = a.version AND v.format <> '' AND " +
               condition + ")",
        into(trash), use(code);
    sql << "SELECT COUNT(*) FROM assets a JOIN versions v ON v.asset = a.id AND v.number <> a.version "
           "WHERE a.id IN (SELECT asset FROM versions WHERE number > 1) AND v.format <> '' AND " +
               condition,
        into(others), use(code);
    return static_cast<std::uint64_t>(std::max(all - trash - others, 0ll));
}

} // namespace

void mark_facts_tried(DatabaseConnection& sql, const JobRecord& job)
{
    const long long code = api::facts_version;
    const long long version = job.version;
    sql << "UPDATE versions SET facts_tried = :code WHERE asset = :asset AND number = :version", use(code),
        use(job.asset), use(version);
}

std::vector<JobRecord> Catalog::queue_refreshes(std::span<const std::string> wanted, std::size_t limit)
{
    const auto most = static_cast<long long>(std::min<std::size_t>(limit, 1'000));
    if (wanted.empty() && !has_assets_to_refresh()) return {};
    return impl_->connections.write_unsynced([&](DatabaseConnection& sql) {
        sql.dialect.lock_names(sql, {"vitrine.refreshes"}); // one refresh of an asset, by one of the servers
        auto jobs = queue_wanted(sql, wanted.first(std::min(wanted.size(), limit)));
        if (const auto places = most - count_queued(sql); places > 0)
            for (const auto& asset : find_stale(sql, places))
                jobs.push_back(insert_refresh(sql, asset, other_turn));
        remove_old_refreshes(sql);
        for (const auto& job : jobs)
            record_event(sql, job);
        return jobs;
    });
}

bool Catalog::has_assets_to_refresh() const
{
    return impl_->connections.read([](DatabaseConnection& sql) { return !find_stale(sql, 1).empty(); });
}

// One statement, so that two processes never claim one job.
std::optional<Lease> Catalog::claim_refresh(const std::string& owner, std::chrono::milliseconds lease)
{
    const bool has_work = impl_->connections.read([](DatabaseConnection& sql) {
        long long queued = 0;
        sql << "SELECT COUNT(*) FROM jobs WHERE kind = 'refresh' AND state = 'queued'", into(queued);
        return queued != 0;
    });
    if (!has_work) return std::nullopt;
    return impl_->connections.write([&](DatabaseConnection& sql) -> std::optional<Lease> {
        const long long time = std::chrono::microseconds(lease).count();
        std::string id;
        long long claim = 0;
        sql << fmt::format(
            "UPDATE jobs SET state = 'running', attempts = attempts + 1, claims = claims + 1, "
            "started = CASE WHEN started = 0 THEN now_micros() ELSE started END, lease_owner = :owner, "
            "lease_until = now_micros() + :time, run_after = 0, problem_code = '', problem_where = '', "
            "problem_detail = '' "
            "WHERE seq = (SELECT seq FROM jobs WHERE state = 'queued' AND kind = 'refresh' "
            "AND run_after <= now_micros() AND NOT EXISTS (SELECT 1 FROM jobs w WHERE w.state = 'queued' "
            "AND w.kind = 'import' AND w.run_after <= now_micros()) ORDER BY turn, seq LIMIT 1{}) "
            "RETURNING id, claims",
            sql.dialect.words().skip_locked),
            into(id), into(claim), use(owner), use(time);
        if (!sql.got_data()) return std::nullopt;
        return lease_of(sql, id, claim);
    });
}

StaleFacts Catalog::count_stale_facts() const
{
    return impl_->connections.read([](DatabaseConnection& sql) {
        const auto waiting = count_versions(sql, "v.facts_tried < :code");
        const auto failed = count_versions(sql, "v.facts_version < v.facts_tried AND v.facts_tried >= :code");
        return StaleFacts{.assets = waiting + failed, .waiting = waiting};
    });
}

std::vector<JobRecord> Catalog::list_jobs(const JobQuery& query) const
{
    return impl_->connections.read([&](DatabaseConnection& sql) {
        Binds binds;
        std::string text = select_jobs() + "WHERE 1 = 1";
        // As words of the statement: indexes of some of them exist.
        if (query.kind)
            text += *query.kind == JobKind::refresh ? " AND kind = 'refresh'" : " AND kind = 'import'";
        if (query.state) text.append(" AND state = '").append(to_string(*query.state)).append("'");
        if (!query.asset.empty()) text += " AND asset = " + binds.add(query.asset);
        if (query.from != 0) text += " AND created >= " + binds.add(static_cast<long long>(query.from));
        if (query.to != 0) text += " AND created < " + binds.add(static_cast<long long>(query.to));
        if (query.after)
            text += fmt::format(" AND (created, id) < ({}, {})",
                                binds.add(static_cast<long long>(query.after->created)),
                                binds.add(query.after->id));
        text += and_visible_asset("jobs.asset");
        // The plus keeps the order from being read from an index, where few rows are of the kind or state.
        const bool is_rare = query.kind == JobKind::refresh || query.state == JobState::queued ||
                             query.state == JobState::running;
        text +=
            is_rare ? " ORDER BY +created DESC, id DESC LIMIT " : " ORDER BY created DESC, id DESC LIMIT ";
        text += binds.add(static_cast<long long>(std::clamp<std::size_t>(query.limit, 1, 501)));
        return fetch_jobs(sql, text, binds);
    });
}

} // namespace vitrine::server
