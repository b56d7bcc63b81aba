#pragma once
// How many bytes the original files may have: of the library, where each content counts once, whatever number
// of assets, versions and files has it, and of each user, where each content counts once among what the user
// has uploaded. The trash counts. What arrives is reserved by rows of the database, so that uploads at the
// same time, of any process, do not exceed a limit together. Any thread, blocking. Throws StorageError.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "server/services/catalog/catalog.hpp"
#include "server/services/database/database_connections.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {

struct QuotaLimits {
    std::uint64_t all_bytes = 0;  // 0: no limit
    std::uint64_t user_bytes = 0; // of each user who has no limit of their own; 0: no limit
};

struct UserStorage {
    std::uint64_t used = 0;
    std::optional<std::uint64_t> limit{}; // empty: none
};

class StorageQuota {
public:
    // `database` outlives the object.
    StorageQuota(DatabaseConnections& database, const QuotaLimits& limits);
    ~StorageQuota() { stop(); }

    // A thread keeps reservations, and removes those that were abandoned, until stop().
    void start();
    void stop();

    std::uint64_t limit_bytes() const { return limits_.all_bytes; }
    struct Use {
        std::uint64_t stored = 0; // of assets
        std::uint64_t open = 0;   // declared lengths of uploads in pieces
    };
    Use in_use();
    UserStorage storage_of(const std::string& user);
    std::map<std::string, UserStorage> storage_of_users() const; // by id; of all

    // Room for an upload until its destructor or settle(). The quota outlives it. One thread at a time.
    class Reservation {
    public:
        Reservation() = default; // of an upload without limits
        ~Reservation();
        Reservation(Reservation&& other) noexcept;
        Reservation& operator=(Reservation&&) = delete;
        // `bytes`: of all that has arrived; ascending. Errors: those of reserve().
        Result<void> grow_to(std::uint64_t bytes);
        // Reserves what the assets would add, instead of what has arrived. `version_of`: id of the asset of
        // which they become versions; empty: none. Errors: those of reserve().
        Result<void> admit(std::span<const NewAsset> assets, const std::string& version_of = {});
        // The assets are stored. May be called on a destructor's way only after admit().
        void settle();

    private:
        friend class StorageQuota;
        StorageQuota* quota_ = nullptr; // null: there is no limit
        std::string id_, user_;         // user_: empty: none
        std::optional<std::uint64_t> user_limit_;
        std::uint64_t bytes_ = 0;
    };
    // Room for this many bytes beside everything that is stored, open or reserved. `principal`: to_text() of
    // who uploads. Errors: no_room ("quota_exceeded", "user_quota_exceeded").
    Result<Reservation> reserve(std::string_view principal, std::uint64_t bytes);

private:
    struct Stored {
        std::uint64_t bytes = 0;
        long long since = 0;                           // when counting began, by the database's clock
        std::chrono::steady_clock::time_point until{}; // which it is used
    };
    struct Wanted {
        std::uint64_t bytes = 0, user_bytes = 0;
        bool beside_open = true; // whether uploads in pieces take room: not what becomes assets
    };

    std::optional<std::uint64_t> limit_of(DatabaseConnection& sql, const std::string& user) const;
    Stored stored(const std::string& user);
    Result<void> put(const Reservation& reservation, const Wanted& wanted);
    Wanted find_new_bytes(std::span<const NewAsset> assets, const std::string& user,
                          const std::string& version_of) const;
    void settle(const std::string& id);
    void abandon(std::string id);
    void remove_abandoned(DatabaseConnection& sql);
    void work(const std::stop_token& stop);
    void renew();

    DatabaseConnections& database_;
    const QuotaLimits limits_;
    std::mutex mutex_;                                  // guards the members below
    std::map<std::string, Stored, std::less<>> stored_; // by user; "": all
    std::set<std::string> reserved_;                    // ids
    std::vector<std::string> abandoned_;
    std::condition_variable_any changed_;
    std::jthread thread_; // last, because it uses the members above
};

} // namespace vitrine::server
