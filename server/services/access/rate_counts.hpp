#pragma once
// What the processes of a database know together about rate limits: for each sender a time, as RateLimiter
// (server/routing/rates) has it. Rows are removed when their time has passed. Any thread, blocking.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>

namespace vitrine::server {

class DatabaseConnections; // server/services/database/database_connections.hpp

class RateCounts {
public:
    // `database` outlives it. `max_rows`: more, and those are removed whose time passes first.
    explicit RateCounts(DatabaseConnections& database, std::size_t max_rows = 65'536)
        : database_(database), max_rows_(max_rows)
    {
    }

    // Adds requests which together take `spent` of a limit, the first of them `age` ago. Returns the time
    // until all of the limit is available again, by what all processes have added. Empty: the database does
    // not answer, or did not a moment ago; then nothing was added. May be undone by a power failure.
    std::optional<std::chrono::nanoseconds> add(std::string_view id, std::chrono::nanoseconds spent,
                                                std::chrono::nanoseconds age);

private:
    std::chrono::microseconds write(std::string_view id, std::chrono::microseconds spent,
                                    std::chrono::microseconds age);
    void remove_old() const;

    DatabaseConnections& database_;
    const std::size_t max_rows_;
    std::atomic<unsigned> written_ = 0;
    std::atomic<std::chrono::steady_clock::time_point> next_attempt_{};
};

} // namespace vitrine::server
