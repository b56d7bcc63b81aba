#pragma once
// Assets leave the trash for good: at a request, or after a number of days. Their blobs are removed when
// nothing else refers to them. Several processes may do it at the same time. Any thread, blocking. Throws
// StorageError.

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "server/services/database/database_connections.hpp"
#include "server/services/storage/blob_store.hpp"
#include "server/util/clock.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {

class Trash {
public:
    // `database` and `blobs` outlive the object. `lifetime`: of an asset in the trash; 0: unlimited.
    Trash(DatabaseConnections& database, BlobStore& blobs, std::chrono::hours lifetime);

    // A thread purges what has expired, until stop().
    void start();
    void stop();

    // Removes the asset with all its versions and jobs; an import that runs ends without a result. Errors:
    // not_found, conflict ("not_in_trash").
    Result<void> purge(const std::string& id);
    // Those that were moved to the trash before `instant`, by the database's clock. Returns their number.
    // After a request to stop it begins no further transaction.
    std::size_t purge_older(Micros instant, const std::stop_token& stop = {});
    std::size_t purge_expired(const std::stop_token& stop = {}); // by the lifetime

private:
    void work(const std::stop_token& stop);

    DatabaseConnections& database_;
    BlobStore& blobs_;
    const std::chrono::hours lifetime_;
    std::mutex mutex_; // of `stopped_`
    std::condition_variable_any stopped_;
    std::jthread thread_; // last, because it uses the members above
};

// An import locks its job before its asset: a purge does so too. Call it before lock_asset().
void lock_jobs(DatabaseConnection& sql, const std::string& asset);
// In a transaction of the caller; the blobs that the asset had are added to `blobs`. Errors: as
// Trash::purge().
Result<void> purge_asset(DatabaseConnection& sql, const std::string& id, std::vector<std::string>& blobs);

} // namespace vitrine::server
