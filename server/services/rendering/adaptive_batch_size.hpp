#pragma once
// How many pictures are drawn at once, by what those before them took. Work cannot be called back from a
// device, so what is drawn is what somebody else may have to wait for. Pure.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>

namespace vitrine::server {

struct BatchBudget {
    std::chrono::milliseconds time;
    std::size_t pictures;
    std::size_t
        uncalibrated; // pictures of a piece where nothing is known: it uploads the scene, and is short
};

// Somebody waits: a frame or two of a live view may be late.
inline constexpr BatchBudget interactive_budget{std::chrono::milliseconds(20), 16, 2};
// Nobody does: a film is one piece, and one submission, unless it is long.
inline constexpr BatchBudget background_budget{std::chrono::milliseconds(500), 256, 1};

class AdaptiveBatchSize {
public:
    // Whoever knows what one picture takes says it before the first.
    void expect(std::optional<std::chrono::nanoseconds> each)
    {
        if (each && !each_) each_ = at_least(*each);
    }

    std::size_t next(const BatchBudget& limits) const
    {
        if (!each_) return limits.uncalibrated;
        const auto fitting = static_cast<std::size_t>(limits.time / *each_);
        return std::clamp<std::size_t>(fitting, 1,
                                       most_ ? std::min(limits.pictures, *most_) : limits.pictures);
    }

    // Of a few pictures the time says little: a piece has at most four times those of the one before.
    void measured(std::size_t pictures, std::chrono::nanoseconds time)
    {
        const auto drawn = std::max<std::size_t>(pictures, 1);
        each_ = at_least(time / static_cast<std::int64_t>(drawn));
        most_ = 4 * drawn;
    }

private:
    static std::chrono::nanoseconds at_least(std::chrono::nanoseconds time)
    {
        return std::max<std::chrono::nanoseconds>(time, std::chrono::microseconds(1));
    }

    std::optional<std::chrono::nanoseconds> each_;
    std::optional<std::size_t> most_;
};

} // namespace vitrine::server
