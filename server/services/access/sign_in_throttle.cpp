#include "server/services/access/sign_in_throttle.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "loaders/base/ascii.hpp"

namespace vitrine::server {
namespace {

constexpr Micros second_us = 1'000'000;
constexpr Micros forget_after = 3600 * second_us;

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

std::string pair_key(std::string_view name, const std::string& network)
{
    return "pair " + network + " " + ascii::lower(name);
}

} // namespace

// Doubles with each failure over the free ones, from a second on.
Micros SignInThrottle::end_of_delay(const Failures& failures, const Limit& limit)
{
    if (failures.count < limit.free) return 0;
    const auto doublings = std::min(failures.count - limit.free, 20u);
    return failures.last + std::min(second_us << doublings, limit.longest);
}

unsigned SignInThrottle::begin(std::string_view name, std::string_view address, Micros time)
{
    const auto network = network_of(address);
    const std::array keys{pair_key(name, network), "address " + network, "name " + ascii::lower(name)};
    // Others could keep a user out by the last limit: its longest delay is short.
    constexpr std::array<Limit, 3> limits{
        {{5, 900 * second_us}, {20, 900 * second_us}, {100, 5 * second_us}}};
    const std::lock_guard lock(mutex_);
    Micros until = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const auto found = failures_.find(keys[i]);
        if (found == failures_.end()) continue;
        if (found->second.last + forget_after <= time)
            failures_.erase(found);
        else
            until = std::max(until, end_of_delay(found->second, limits[i]));
    }
    if (until > time) return static_cast<unsigned>((until - time + second_us - 1) / second_us);
    if (failures_.size() + keys.size() > max_entries_) forget(time);
    for (const auto& key : keys) {
        auto& failures = failures_[key];
        ++failures.count;
        failures.last = time;
    }
    return 0;
}

// The count of the address and the name too, which this attempt has increased.
void SignInThrottle::succeed(std::string_view name, std::string_view address)
{
    const auto network = network_of(address);
    const std::lock_guard lock(mutex_);
    failures_.erase(pair_key(name, network));
    for (const auto& key : {"address " + network, "name " + ascii::lower(name)})
        if (const auto found = failures_.find(key); found != failures_.end() && found->second.count > 0)
            --found->second.count;
}

// Half of the entries, so that the next calls find room.
void SignInThrottle::forget(Micros time)
{
    std::erase_if(failures_, [time](const auto& entry) { return entry.second.last + forget_after <= time; });
    if (failures_.size() < max_entries_ / 2) return;
    std::vector<Micros> times;
    for (const auto& [key, failures] : failures_)
        times.push_back(failures.last);
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::ranges::nth_element(times, middle);
    std::erase_if(failures_, [limit = *middle](const auto& entry) { return entry.second.last <= limit; });
}

} // namespace vitrine::server
