#pragma once
// From a motion that can be evaluated at any time to the keys of one channel of a Scene.
//
// Exact where the channel can say the same: steps, straight lines, polynomials of third degree between keys
// (x, y and z with keys at different times have them at all of these), and rotations that turn evenly about
// one axis. Elsewhere the motion is cut until no part is off by more than `tolerance` at the places that are
// tried, or parts between keys of a kilohertz last half a millisecond: 2e-7 of the largest value for
// translations and scales, 5e-7 radians for rotations, 1e-6 for weights.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "loaders/fbx/curves/curve.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::fbx {

struct BakeBudget;

// A motion of several components. Rotations have four, x y z w; opposite quaternions are the same.
class Track {
public:
    virtual ~Track() = default;
    virtual std::size_t components() const = 0;
    virtual void sample(double time, Side side, std::span<double> value, std::span<double> rate) const = 0;
    // The same without rates, which half of all samples are not asked for.
    virtual void sample_value(double time, Side side, std::span<double> value) const;
    // Places between the keys where it is not smooth either, ticks; as many as the budget lasts for.
    virtual std::vector<double> corners(BakeBudget& /*budget*/) const { return {}; }

    // The curves that move it: where their keys are, the motion is not smooth.
    std::vector<const Curve*> curves;
    // Each component is a curve or constant (rotations: the angle about one axis): what goes on outside the
    // keys can be said by the channel itself.
    bool is_plain = false;
};

// The work that baking may take, of a whole file, in samples of curves. A hostile file asks for far more than
// its own size; once nothing is left, motions are cut no finer than at their keys.
struct BakeBudget {
    // How far the breakpoints of a file may overdraw it; beyond that nothing is baked.
    static constexpr std::uint64_t max_overdrawn = 20'000'000;

    std::uint64_t samples_left = 0;
    std::uint64_t overdrawn = 0;
    bool is_coarse = false; // some motion has fewer keys than it takes
    // Extrapolations that had to be sampled: how far from the start the one that ends first, in seconds; 0
    // where there were none.
    double sampled_seconds = 0.0;

    bool is_exhausted() const { return samples_left == 0; }
    bool is_overdrawn() const { return overdrawn > max_overdrawn; }
    bool covers(std::uint64_t samples) const
    {
        return !is_overdrawn() && samples <= samples_left + (max_overdrawn - overdrawn);
    }
    void spend(std::uint64_t samples)
    {
        const std::uint64_t covered = std::min(samples_left, samples);
        samples_left -= covered;
        overdrawn += samples - covered;
        is_coarse = is_coarse || is_exhausted();
    }
};

// Of one sample of a track, and at most of a breakpoint: at it and on both sides, and twice in the piece
// behind it.
inline std::uint64_t sample_cost(const Track& track)
{
    return 1 + track.curves.size() + track.components() / 8;
}
inline std::uint64_t breakpoint_cost(const Track& track)
{
    return 5 * sample_cost(track);
}

struct BakeTime {
    double start = 0.0; // ticks, of the clip
    double ticks_per_second = 0.0;
    // Ticks: a time that is kept exactly even where an extrapolation is sampled for a while only.
    std::optional<double> pose_time{};
};

// Keys in seconds from the clip's start; they may lie outside the clip. The channel's node is not set.
// Without keys where that overdraws the budget.
scene::Channel bake(const Track& track, scene::Path path, const BakeTime& time, BakeBudget& budget);

} // namespace vitrine::fbx
