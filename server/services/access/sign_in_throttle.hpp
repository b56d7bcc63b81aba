#pragma once
// Slows attempts to find passwords: of one name from one address, of any name from one address, and of one
// name from any address. Failures are rows of the database, by digests of what has failed: all processes
// share them, and a restart keeps them. Any thread, blocking. Throws StorageError.

#include <array>
#include <cstddef>
#include <expected>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "server/util/clock.hpp"

namespace vitrine::server {

class DatabaseConnections; // server/services/database/database_connections.hpp

// Of an IPv6 address the first 64 bits, of another one all of it. `address`: as Request::client.
std::string network_of(std::string_view address);

class SignInThrottle {
    using Keys = std::array<std::string, 3>; // of name and address, address, name

public:
    // `database` outlives it. `scope`: throttles with different ones count apart. `max_rows`: of failures of
    // all scopes; more, and those are removed that have failed longest ago.
    SignInThrottle(DatabaseConnections& database, std::string_view scope, std::size_t max_rows = 30'000)
        : database_(database), scope_(scope), max_rows_(max_rows)
    {
    }

    // An attempt in progress: for others of this process it counts as failed. Ended by one of its functions;
    // without one of them it has not happened. The throttle outlives it.
    class Attempt {
    public:
        Attempt(SignInThrottle& throttle, Keys keys);
        Attempt(Attempt&& other) noexcept;
        Attempt& operator=(Attempt&&) = delete;
        ~Attempt();

        void fail(Micros time);
        // The name may be tried from the address as before its failures. Writes nothing if it had none.
        void succeed();

    private:
        friend class SignInThrottle;
        SignInThrottle* throttle_; // null: moved from
        Keys keys_;
        bool has_failed_ = false; // before: the name from the address
    };
    // The error: the seconds after which the next attempt is allowed; this one does not count. `address`: as
    // Request::client; of an IPv6 address only the first 64 bits count.
    std::expected<Attempt, unsigned> begin(std::string_view name, std::string_view address, Micros time);

private:
    struct Failures {
        unsigned count = 0;
        Micros last = 0;
    };
    struct Limit {
        unsigned free = 0; // failures without a delay
        Micros longest = 0;
    };
    static Micros end_of_delay(const Failures& failures, const Limit& limit);
    std::array<Failures, 3> read(const Keys& keys, Micros time) const;
    std::array<unsigned, 3> others_in_progress(const Keys& keys);
    void record_failure(Keys keys, Micros time);
    void remove_old(Micros time) const;

    DatabaseConnections& database_;
    const std::string scope_;
    const std::size_t max_rows_;
    std::mutex mutex_;                                   // guards the members below
    std::unordered_map<std::string, unsigned> progress_; // attempts by key
    unsigned recorded_ = 0;
};

} // namespace vitrine::server
