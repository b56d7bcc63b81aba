#pragma once
// The processes that draw and import, as rows of the database: each writes its row every two seconds
// (worker_registration.hpp). Any thread, blocking.

#include <chrono>
#include <cstddef>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/worker_json.hpp"

namespace vitrine::server {

class DatabaseConnections; // server/services/database/database_connections.hpp

enum class WorkerUse : std::uint8_t { viewer, draw };

// Selects the worker of a model among those that are alive and have room for another use of this kind:
// rendezvous hashing, so that the scene of a model is on few devices, and that only the models of a worker
// that leaves move. `content_hash`: AssetRecord::content_hash. Returns null if there is none, otherwise an
// element of `workers`. The load is that of the last heartbeat: a worker may nevertheless turn out to be
// full; then call again without it.
const api::Worker* choose_worker(std::string_view content_hash, std::span<const api::Worker> workers,
                                 WorkerUse use = WorkerUse::viewer);

struct WorkerTimes {
    std::chrono::milliseconds max_silence{6'000}; // a worker is alive while its heartbeat is younger
    std::chrono::milliseconds cache{1'000};       // age of the list of live_workers()
    std::chrono::milliseconds keep{60'000};       // older rows are removed by the next heartbeat of another
};

class WorkerDirectory {
public:
    static constexpr std::size_t max_workers = 500; // that lists have

    // `database` outlives the directory.
    explicit WorkerDirectory(DatabaseConnections& database, const WorkerTimes& times = {});

    // Those that are alive, by id, at most WorkerTimes::cache old. Throws StorageError.
    std::vector<api::Worker> live_workers();
    // With those that have stopped to write their row, the newest first; `limit`: clamped to 1..max_workers.
    std::vector<api::Worker> list(std::size_t limit = max_workers) const;

    // Writes the row of the worker, with the heartbeat now and, at first, the start now; removes old rows of
    // others. May be undone by a power failure.
    void put(const api::Worker& worker) const;
    void remove(const std::string& id) const;

private:
    DatabaseConnections& database_;
    const WorkerTimes times_;
    std::mutex mutex_; // guards the members below
    std::vector<api::Worker> live_;
    std::chrono::steady_clock::time_point read_{};
};

} // namespace vitrine::server
