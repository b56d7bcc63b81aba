#pragma once
// How many bytes the original files of a library may have. Each content counts once, whatever number of
// assets, versions and files has it; the trash counts. Processes that share a catalog share the limit, but
// each learns only within seconds what the others store. Any thread, blocking. Throws StorageError.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <span>

#include "server/services/catalog/records.hpp"
#include "server/services/database/database_connections.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {

class StorageQuota {
public:
    // `database` outlives the object. `limit_bytes`: 0: no limit, everything is admitted.
    StorageQuota(DatabaseConnections& database, std::uint64_t limit_bytes);

    std::uint64_t limit_bytes() const { return limit_bytes_; }
    struct Use {
        std::uint64_t stored = 0; // of assets
        std::uint64_t open = 0;   // declared lengths of uploads in pieces
    };
    Use in_use();
    // Whether there is room for this many bytes beside everything that is stored, open or arriving. Errors:
    // no_room ("quota_exceeded").
    Result<void> check(std::uint64_t bytes);

    // Bytes of a body that arrives, until its destructor. The quota outlives it.
    class Arrival {
    public:
        explicit Arrival(StorageQuota& quota) : quota_(quota) {}
        ~Arrival() { quota_.arriving_ -= bytes_; }
        Arrival(const Arrival&) = delete;
        Arrival& operator=(const Arrival&) = delete;
        // `bytes`: of all that has arrived; ascending. Errors: those of check().
        Result<void> grow_to(std::uint64_t bytes);

    private:
        StorageQuota& quota_;
        std::atomic<std::uint64_t> bytes_ = 0;
    };

    // Room for the files of an asset; others of this process wait for it. Call commit() when they are stored.
    class Admission {
    public:
        void commit();

    private:
        friend class StorageQuota;
        StorageQuota* quota_ = nullptr; // null: there is no limit
        std::uint64_t bytes_ = 0;       // of contents that no asset has
        std::unique_lock<std::mutex> turn_;
    };
    // Errors: no_room ("quota_exceeded").
    Result<Admission> admit(std::span<const FileRecord> files);

private:
    std::uint64_t stored_bytes();
    std::uint64_t open_bytes() const;
    std::uint64_t find_new_bytes(std::span<const FileRecord> files) const;

    DatabaseConnections& database_;
    const std::uint64_t limit_bytes_;
    std::atomic<std::uint64_t> arriving_ = 0;
    std::mutex admission_;
    std::mutex mutex_; // guards the members below
    std::uint64_t stored_ = 0;
    std::chrono::steady_clock::time_point counted_until_{}; // `stored_` is used
};

} // namespace vitrine::server
