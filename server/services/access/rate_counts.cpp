#include "server/services/access/rate_counts.hpp"

#include <exception>

#include <spdlog/spdlog.h>

#include "server/access/access_token.hpp"
#include "server/services/database/database_connections.hpp"
#include "server/util/hex.hpp"

using soci::into;
using soci::use;
using std::chrono::microseconds;
using std::chrono::nanoseconds;

namespace vitrine::server {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds max_wait{2};    // for the database
constexpr std::chrono::seconds retry_after{5}; // when it did not answer
constexpr unsigned writes_between_removals = 256;

} // namespace

std::optional<nanoseconds> RateCounts::add(std::string_view id, nanoseconds spent, nanoseconds age)
{
    if (Clock::now() < next_attempt_.load()) return std::nullopt;
    const StatementLimit limit(max_wait);
    try {
        const auto left =
            write(id, std::chrono::floor<microseconds>(spent), std::chrono::ceil<microseconds>(age));
        if (written_.fetch_add(1) % writes_between_removals == 0) remove_old();
        return left;
    } catch (const std::exception& error) {
        next_attempt_ = Clock::now() + retry_after;
        spdlog::warn("msg=\"rate limits are counted by this process alone\" error={:?}",
                     std::string_view(error.what()));
        return std::nullopt;
    }
}

microseconds RateCounts::write(std::string_view id, microseconds spent, microseconds age)
{
    const auto row = to_hex(digest_of(id));
    const long long added = spent.count(), since = age.count();
    return database_.write_unsynced([&](DatabaseConnection& sql) {
        long long left = 0;
        sql << "INSERT INTO rate_counts (id, free_at) VALUES (:id, now_micros() - :age + :added) "
               "ON CONFLICT (id) DO UPDATE SET free_at = :same + CASE WHEN rate_counts.free_at > "
               "now_micros() - :since THEN rate_counts.free_at ELSE now_micros() - :until END "
               "RETURNING free_at - now_micros()",
            into(left), use(row), use(since), use(added), use(added), use(since), use(since);
        return microseconds(left);
    });
}

void RateCounts::remove_old() const
{
    const auto kept = static_cast<long long>(max_rows_);
    database_.write_unsynced([&](DatabaseConnection& sql) {
        sql << "DELETE FROM rate_counts WHERE free_at < now_micros()";
        sql << "DELETE FROM rate_counts WHERE free_at <= (SELECT free_at FROM rate_counts "
               "ORDER BY free_at DESC LIMIT 1 OFFSET :kept)",
            use(kept);
    });
}

} // namespace vitrine::server
