#include "server/routing/rates/rate_limiter.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "loaders/io/string_hash.hpp"

namespace vitrine::server {
namespace {

using std::chrono::nanoseconds;

constexpr std::int64_t second_ns = 1'000'000'000;
constexpr std::uint64_t class_step = 0x9e3779b97f4a7c15; // between the keys of one sender

std::uint32_t seconds_up(std::int64_t ns)
{
    return static_cast<std::uint32_t>((std::max<std::int64_t>(ns, 0) + second_ns - 1) / second_ns);
}

std::int64_t nanoseconds_of(RateLimiter::Time time)
{
    return std::chrono::duration_cast<nanoseconds>(time.time_since_epoch()).count();
}

std::int64_t interval_of(const RateLimit& limit)
{
    return std::max<std::int64_t>(nanoseconds(limit.window).count() / limit.requests, 1);
}

void append_number(std::string& text, std::string_view before, std::int64_t number)
{
    text.append(before).append(fmt::format_int(number).c_str());
}

void append_word(std::string& text, const RateStatus& status)
{
    text.append(1, '"').append(to_word(status.rate_class)).append(1, '"');
}

void append_policy(std::string& text, const RateStatus& status)
{
    append_word(text, status);
    append_number(text, ";q=", status.limit.requests);
    append_number(text, ";w=", status.limit.window.count());
}

void append_limit(std::string& text, const RateStatus& status)
{
    append_word(text, status);
    append_number(text, ";r=", status.remaining);
    append_number(text, ";t=", status.reset_s);
}

} // namespace

std::string rate_policy_field(const RateStatus& status)
{
    std::string text;
    append_policy(text, status);
    return text;
}

std::string rate_limit_field(const RateStatus& status)
{
    std::string text;
    append_limit(text, status);
    return text;
}

std::string rate_field_lines(const RateStatus& status)
{
    std::string text;
    text.reserve(96);
    append_policy(text.append("RateLimit-Policy: "), status);
    append_limit(text.append("\r\nRateLimit: "), status);
    return text.append("\r\n");
}

RateLimiter::RateLimiter(AddToShared add) : add_(std::move(add)), table_(sets) {}

RateLimiter::EntryKey RateLimiter::key_of(std::string_view sender, RateClass rate_class)
{
    const auto key = (io::StringHash{}(sender) + class_step * static_cast<std::uint64_t>(rate_class)) | 1;
    return {key, (key >> 32) % sets};
}

RateLimiter::Entry& RateLimiter::entry_of(Set& set, std::uint64_t key)
{
    const auto known = std::ranges::find(set, key, &Entry::key);
    if (known != set.end()) return *known;
    auto& replaced = *std::ranges::min_element(set, {}, &Entry::full);
    replaced = {.key = key};
    return replaced;
}

// Small: what another process does not know of yet exceeds the limit.
std::uint32_t RateLimiter::unshared_limit(const RateLimit& limit)
{
    return std::max(limit.requests / 16, 1u);
}

RateStatus RateLimiter::count(std::string_view sender, RateClass rate_class, const RateLimit& limit, Time now,
                              bool asks)
{
    RateStatus status{.rate_class = rate_class, .limit = limit};
    if (!limit.is_set()) return status;
    const auto [key, set] = key_of(sender, rate_class);
    const auto now_ns = nanoseconds_of(now);
    const auto interval_ns = interval_of(limit);
    const std::lock_guard lock(mutexes_[set % mutexes_.size()]);
    auto& entry = entry_of(table_[set], key);
    const auto next = std::max(entry.full, now_ns) + interval_ns;
    const auto excess_ns = next - now_ns - interval_ns * limit.requests;
    if (excess_ns > 0) {
        status.wait_s = seconds_up(excess_ns);
        status.reset_s = seconds_up(entry.full - now_ns);
        return status;
    }
    if (add_ && asks && entry.unshared >= unshared_limit(limit)) {
        status.must_share = true;
        return status;
    }
    if (add_ && entry.unshared++ == 0) entry.first = now_ns;
    entry.full = next;
    status.remaining = static_cast<std::uint32_t>(-excess_ns / interval_ns);
    status.reset_s = seconds_up(next - now_ns);
    return status;
}

std::optional<RateLimiter::Entry> RateLimiter::take_unshared(const EntryKey& at, const RateLimit& limit)
{
    const std::lock_guard lock(mutexes_[at.set % mutexes_.size()]);
    auto& entry = entry_of(table_[at.set], at.key);
    if (entry.unshared < unshared_limit(limit)) return std::nullopt; // another request has shared them
    auto taken = entry;
    entry.unshared = 0;
    return taken;
}

void RateLimiter::give_back(const EntryKey& at, const Entry& taken)
{
    const std::lock_guard lock(mutexes_[at.set % mutexes_.size()]);
    auto& entry = entry_of(table_[at.set], at.key);
    entry.first = taken.first;
    entry.unshared += taken.unshared;
}

// The sender's requests in this process are a lower limit, also of those in all.
void RateLimiter::share(std::string_view sender, RateClass rate_class, const RateLimit& limit, Time now)
{
    if (!add_ || !limit.is_set()) return;
    const auto at = key_of(sender, rate_class);
    const std::lock_guard turn(sharing_[at.set % sharing_.size()]);
    const auto taken = take_unshared(at, limit);
    if (!taken) return;
    const auto now_ns = nanoseconds_of(now);
    const auto interval_ns = interval_of(limit);
    const auto id = fmt::format("{} {}", to_word(rate_class), sender);
    const auto left = add_(id, nanoseconds(taken->unshared * interval_ns),
                           nanoseconds(std::max<std::int64_t>(now_ns - taken->first, 0)));
    if (!left) return give_back(at, *taken);
    const std::lock_guard lock(mutexes_[at.set % mutexes_.size()]);
    auto& entry = entry_of(table_[at.set], at.key);
    const auto full = now_ns + left->count() + entry.unshared * interval_ns;
    if (full > entry.full + interval_ns / 2) entry.full = full; // less is what the clocks differ by
}

} // namespace vitrine::server
