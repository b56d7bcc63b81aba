#include "server/services/access/sign_in_throttle.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "loaders/base/ascii.hpp"
#include "server/access/access_token.hpp"
#include "server/services/database/database_connections.hpp"
#include "server/util/hex.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

constexpr Micros second_us = 1'000'000;
constexpr Micros forget_after = 3600 * second_us;
constexpr unsigned failures_between_removals = 32;

} // namespace

// The first four groups of an IPv6 address in its usual form, as far as they are written.
std::string network_of(std::string_view address)
{
    if (address.starts_with("::ffff:") && address.contains('.')) address.remove_prefix(7); // IPv4
    if (address.starts_with("unix:") || std::ranges::count(address, ':') < 2) return std::string(address);
    std::size_t begin = 0;
    for (int group = 1; group <= 4; ++group) {
        const auto colon = address.find(':', begin);
        if (group == 4 || colon == address.npos || address.substr(colon, 2) == "::")
            return std::string(address.substr(0, colon));
        begin = colon + 1;
    }
    return std::string(address);
}

SignInThrottle::Attempt::Attempt(SignInThrottle& throttle, Keys keys)
    : throttle_(&throttle), keys_(std::move(keys))
{
    const std::lock_guard lock(throttle_->mutex_);
    for (const auto& key : keys_)
        ++throttle_->progress_[key];
}

SignInThrottle::Attempt::Attempt(Attempt&& other) noexcept
    : throttle_(std::exchange(other.throttle_, nullptr)), keys_(std::move(other.keys_)),
      has_failed_(other.has_failed_)
{
}

SignInThrottle::Attempt::~Attempt()
{
    if (throttle_ == nullptr) return;
    const std::lock_guard lock(throttle_->mutex_);
    for (const auto& key : keys_)
        if (const auto found = throttle_->progress_.find(key); --found->second == 0)
            throttle_->progress_.erase(found);
}

void SignInThrottle::Attempt::fail(Micros time)
{
    throttle_->record_failure(keys_, time);
}

void SignInThrottle::Attempt::succeed()
{
    if (!has_failed_) return;
    throttle_->database_.write_unsynced([this](DatabaseConnection& sql) {
        sql << "DELETE FROM sign_in_failures WHERE id = :id", use(keys_.front());
    });
}

// Doubles with each failure over the free ones, from a second on.
Micros SignInThrottle::end_of_delay(const Failures& failures, const Limit& limit)
{
    if (failures.count < limit.free) return 0;
    const auto doublings = std::min(failures.count - limit.free, 20u);
    return failures.last + std::min(second_us << doublings, limit.longest);
}

std::expected<SignInThrottle::Attempt, unsigned> SignInThrottle::begin(std::string_view name,
                                                                       std::string_view address, Micros time)
{
    const auto network = network_of(address), lower = ascii::lower(name);
    const auto key = [this](const std::string& text) { return to_hex(digest_of(scope_ + " " + text)); };
    // Others could keep a user out by the last limit: its longest delay is short.
    constexpr std::array<Limit, 3> limits{
        {{5, 900 * second_us}, {20, 900 * second_us}, {100, 5 * second_us}}};
    Attempt attempt(*this,
                    {key("pair " + network + " " + lower), key("address " + network), key("name " + lower)});
    const auto others = others_in_progress(attempt.keys_); // first: those that end meanwhile are rows
    auto failures = read(attempt.keys_, time);
    attempt.has_failed_ = failures.front().count > 0;
    Micros until = 0;
    for (std::size_t i = 0; i < limits.size(); ++i) {
        failures[i].count += others[i];
        if (others[i] > 0) failures[i].last = time;
        until = std::max(until, end_of_delay(failures[i], limits[i]));
    }
    if (until > time)
        return std::unexpected(static_cast<unsigned>((until - time + second_us - 1) / second_us));
    return attempt;
}

std::array<unsigned, 3> SignInThrottle::others_in_progress(const Keys& keys)
{
    std::array<unsigned, 3> others{};
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < keys.size(); ++i)
        others[i] = progress_.at(keys[i]) - 1;
    return others;
}

std::array<SignInThrottle::Failures, 3> SignInThrottle::read(const Keys& keys, Micros time) const
{
    return database_.read([&](DatabaseConnection& sql) {
        std::array<Failures, 3> all{};
        std::string id;
        long long count = 0, last = 0;
        const long long forgotten = time - forget_after;
        PreparedStatement rows =
            (sql.prepare << "SELECT id, failures, last FROM sign_in_failures "
                            "WHERE id IN (:pair, :address, :name) AND last > :forgotten",
             into(id), into(count), into(last), use(keys[0]), use(keys[1]), use(keys[2]), use(forgotten));
        for (rows.execute(); rows.fetch();) {
            const auto at = static_cast<std::size_t>(std::ranges::find(keys, id) - keys.begin());
            if (at < all.size()) all[at] = {static_cast<unsigned>(count), last};
        }
        return all;
    });
}

// In the order of the ids, in which all transactions lock the rows.
void SignInThrottle::record_failure(Keys keys, Micros time)
{
    std::ranges::sort(keys);
    const long long now = time, forgotten = time - forget_after;
    database_.write_unsynced([&](DatabaseConnection& sql) {
        for (const auto& key : keys)
            sql << "INSERT INTO sign_in_failures (id, failures, last) VALUES (:id, 1, :time) "
                   "ON CONFLICT (id) DO UPDATE SET failures = CASE WHEN sign_in_failures.last > :forgotten "
                   "THEN sign_in_failures.failures + 1 ELSE 1 END, last = CASE WHEN "
                   "sign_in_failures.last > :now THEN sign_in_failures.last ELSE :same END",
                use(key), use(now), use(forgotten), use(now), use(now);
    });
    bool is_due = false;
    {
        const std::lock_guard lock(mutex_);
        is_due = recorded_++ % failures_between_removals == 0;
    }
    if (is_due) remove_old(time);
}

void SignInThrottle::remove_old(Micros time) const
{
    const long long forgotten = time - forget_after, kept = static_cast<long long>(max_rows_);
    database_.write_unsynced([&](DatabaseConnection& sql) {
        sql << "DELETE FROM sign_in_failures WHERE last <= :forgotten", use(forgotten);
        sql << "DELETE FROM sign_in_failures WHERE last <= (SELECT last FROM sign_in_failures "
               "ORDER BY last DESC LIMIT 1 OFFSET :kept)",
            use(kept);
    });
}

} // namespace vitrine::server
