#pragma once
// Limits of requests per time, as the options name them.

#include <array>
#include <chrono>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::server {

// What a request counts as.
enum class RateClass : std::uint8_t {
    reads,
    writes,  // what changes something, also sign-ins
    renders, // what is drawn or computed: images, exports, poses, models in bodies, previews
};
inline constexpr std::size_t rate_classes = 3;
std::string_view to_word(RateClass rate_class); // "reads", "writes", "renders"

// At most `requests` in any `window`, all of which may come at once. 0: no limit.
struct RateLimit {
    std::uint32_t requests = 0;
    std::chrono::seconds window{1};

    bool operator==(const RateLimit&) const = default;
    bool is_set() const { return requests > 0; }
};

struct RateLimits {
    std::array<RateLimit, rate_classes> classes{};

    const RateLimit& operator[](RateClass rate_class) const
    {
        return classes[static_cast<std::size_t>(rate_class)];
    }
    RateLimit& operator[](RateClass rate_class) { return classes[static_cast<std::size_t>(rate_class)]; }
};

// Of each address without a token: far more than people cause, also several behind one address.
RateLimits default_address_limits();
// Changes `limits` by words such as "reads=50/s", "writes=600/m", "renders=1000/h" or "reads=0" (no limit);
// `flag` begins the sentence of the error.
std::expected<RateLimits, std::string> parse_rate_limits(std::string_view flag, RateLimits limits,
                                                         const std::vector<std::string>& words);
std::string to_text(const RateLimit& limit); // "600/m"

} // namespace vitrine::server
