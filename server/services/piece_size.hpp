#pragma once
// How many pictures go to the render thread at once, by what those before them took. Work cannot be called
// back from a device, so what is drawn is what somebody more urgent may have to wait for. Pure.

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace vitrine::server {

struct PieceLimits {
    std::chrono::milliseconds time;
    std::size_t pictures;
    std::size_t first; // pictures of a piece before anything was measured
};

// Somebody looks on: a frame or two of a live view may be late. The first piece uploads the scene, and is
// short.
inline constexpr PieceLimits watched_piece{std::chrono::milliseconds(20), 16, 2};
// Nobody does: a film is one piece, and one submission, unless it is long.
inline constexpr PieceLimits unwatched_piece{std::chrono::milliseconds(250), 256, 256};

class PieceSize {
public:
    // `guess`: what one picture takes, as long as none was drawn.
    explicit PieceSize(std::chrono::nanoseconds guess = std::chrono::milliseconds(10))
        : each_(at_least(guess))
    {
    }

    std::size_t next(const PieceLimits& limits) const
    {
        const auto fitting = static_cast<std::size_t>(limits.time / each_);
        const auto most = most_ == 0 ? limits.first : most_;
        return std::clamp<std::size_t>(fitting, 1, std::min(limits.pictures, most));
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

    std::chrono::nanoseconds each_;
    std::size_t most_ = 0; // 0: nothing was measured
};

} // namespace vitrine::server
