#pragma once
// Channels as keys within their clip.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "loaders/base/error.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// Numbers that all clips of a document may be sampled to: a small file can ask for far more than a GLB holds,
// by many long clips of which each alone is bounded. Normal models take a hundredth.
class SampleBudget {
public:
    static constexpr std::uint64_t default_limit = std::uint64_t{1} << 28;

    explicit SampleBudget(std::uint64_t numbers = default_limit) : left_(numbers) {}
    void take(std::uint64_t numbers)
    {
        is_spent_ = is_spent_ || numbers > left_;
        left_ -= std::min(numbers, left_);
    }
    // More was asked for than there is: what was made last is incomplete.
    bool is_spent() const { return is_spent_; }

private:
    std::uint64_t left_;
    bool is_spent_ = false;
};

// limit_exceeded in the words for one that is spent.
std::unexpected<LoadError> sample_budget_error();

// The file's own keys say all of it: none outside the clip, the end values hold beyond them, and a spline has
// two.
bool needs_no_resampling(const scene::Channel& channel, double duration);

// A channel whose keys within the clip show what this one shows, of the same interpolation; cubic pieces stay
// cubic. Rotations do not run straight outside their keys, and their splines leave the unit sphere.
scene::Channel resampled(const scene::Channel& channel, double duration, std::size_t components,
                         std::size_t limit);
// The same with linear keys instead of cubic ones.
scene::Channel linearised(const scene::Channel& channel, double duration, std::size_t components,
                          std::size_t limit);

} // namespace vitrine::exporting
