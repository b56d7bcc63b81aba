#pragma once
// How many pictures go to the render thread at once. Interactive work waits for what is being drawn, so that
// a piece takes about 20 ms, by what those before it took. Pure.

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace vitrine::server {

class PieceSize {
public:
    static constexpr std::chrono::milliseconds wanted{20};
    static constexpr std::size_t largest = 16;

    std::size_t next() const { return next_; }

    // A first piece uploads the scene and measures the clip: it is short, and the next may be twice as long
    // and more.
    void measured(std::size_t pictures, std::chrono::steady_clock::duration time)
    {
        const auto each = std::max<std::chrono::steady_clock::duration>(
            time / static_cast<std::int64_t>(std::max<std::size_t>(pictures, 1)),
            std::chrono::microseconds(1));
        const auto fitting = static_cast<std::size_t>(wanted / each);
        next_ =
            std::clamp<std::size_t>(fitting, 1, std::min(largest, 4 * std::max<std::size_t>(pictures, 1)));
    }

private:
    std::size_t next_ = 2;
};

} // namespace vitrine::server
