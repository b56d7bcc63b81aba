#include "server/routing/rates/rate_limits.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "loaders/base/parse_whole.hpp"

namespace vitrine::server {
namespace {

constexpr std::uint32_t max_requests = 1'000'000'000;
constexpr std::array<std::string_view, rate_classes> class_words{"reads", "writes", "renders"};
constexpr std::array<std::pair<std::string_view, int>, 3> units{
    {{"s", 1}, {"m", 60}, {"h", 3600}}}; // seconds

std::optional<RateLimit> parse_rate(std::string_view text)
{
    const auto slash = text.find('/');
    const auto requests = parse_whole<std::uint32_t>(text.substr(0, slash));
    if (!requests || *requests > max_requests) return std::nullopt;
    if (slash == text.npos) return *requests == 0 ? std::optional(RateLimit{}) : std::nullopt;
    const auto unit = std::ranges::find(units, text.substr(slash + 1), [](const auto& u) { return u.first; });
    if (unit == units.end()) return std::nullopt;
    return RateLimit{*requests, std::chrono::seconds(unit->second)};
}

} // namespace

std::string_view to_word(RateClass rate_class)
{
    return class_words[static_cast<std::size_t>(rate_class)];
}

RateLimits default_address_limits()
{
    constexpr std::chrono::minutes window{1};
    return {{RateLimit{6000, window}, RateLimit{600, window}, RateLimit{600, window}}};
}

std::expected<RateLimits, std::string> parse_rate_limits(std::string_view flag, RateLimits limits,
                                                         const std::vector<std::string>& words)
{
    for (const std::string_view word : words) {
        const auto equals = std::min(word.find('='), word.size());
        const auto known = std::ranges::find(class_words, word.substr(0, equals));
        const auto rate = parse_rate(word.substr(std::min(equals + 1, word.size())));
        if (known == class_words.end() || !rate)
            return std::unexpected(fmt::format("{} must be reads, writes or renders and a number per s, m or "
                                               "h, such as reads=50/s, or 0 for no limit, not {}",
                                               flag, word));
        limits.classes[static_cast<std::size_t>(known - class_words.begin())] = *rate;
    }
    return limits;
}

std::string to_text(const RateLimit& limit)
{
    const auto unit = std::ranges::find(units, limit.window.count(), [](const auto& u) { return u.second; });
    return limit.is_set() && unit != units.end() ? fmt::format("{}/{}", limit.requests, unit->first) : "0";
}

} // namespace vitrine::server
