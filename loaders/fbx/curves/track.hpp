#pragma once
// Converts a motion that can be evaluated at any time to the keys of one channel of a Scene.
//
// The result is exact where a channel can represent the motion: steps, straight lines, cubic polynomials
// between keys (when x, y and z have keys at different times, all three get keys at all of these times), and
// rotations at a constant rate about one axis. Elsewhere the motion is subdivided until no segment deviates
// by more than `tolerance` at the probed times, or segments between keys a millisecond apart are half a
// millisecond long. Tolerances: 2e-7 of the largest value for translations and scales, 5e-7 radians for
// rotations, 1e-6 for weights.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "loaders/fbx/curves/curve.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::fbx {

struct BakeBudget;

// A motion of several components. Rotations have four (x, y, z, w); a quaternion and its negative are equal.
class Track {
public:
    virtual ~Track() = default;
    virtual std::size_t components() const = 0;
    virtual void sample(double time, TimeSide side, std::span<double> value,
                        std::span<double> rate) const = 0;
    // The same without rates; half of all samples do not need them.
    virtual void sample_value(double time, TimeSide side, std::span<double> value) const;
    // Returns times (ticks) between keys at which the motion is not smooth either, limited by the budget.
    virtual std::vector<double> corners(BakeBudget& /*budget*/) const { return {}; }

    // The curves that change the motion; it is not smooth at their keys.
    std::vector<const Curve*> curves;
    // Each component is a curve or constant (rotations: the angle about one axis), so the channel itself can
    // represent the extrapolation.
    bool is_plain = false;
};

// The work that baking may use for a whole file, in curve samples. A hostile file can ask for far more than
// its size suggests; once the budget is exhausted, motions get keys only at the keys of their curves.
struct BakeBudget {
    // By how much the breakpoints of a file may exceed the budget; beyond that nothing is baked.
    static constexpr std::uint64_t max_overdrawn = 20'000'000;

    std::uint64_t samples_left = 0;
    std::uint64_t overdrawn = 0;
    bool is_coarse = false; // some motion has fewer keys than its tolerance requires
    // Sampled extrapolations: the earliest end, in seconds from the start; 0 when none was sampled.
    double sampled_seconds = 0.0;

    bool is_exhausted() const { return samples_left == 0; }
    bool is_over_limit() const { return overdrawn > max_overdrawn; }
    bool covers(std::uint64_t samples) const
    {
        return !is_over_limit() && samples <= samples_left + (max_overdrawn - overdrawn);
    }
    void spend(std::uint64_t samples)
    {
        const std::uint64_t covered = std::min(samples_left, samples);
        samples_left -= covered;
        overdrawn += samples - covered;
        is_coarse = is_coarse || is_exhausted();
    }
};

// Returns the cost of one sample of a track. A breakpoint costs several: at its time, on both sides, and two
// probes in the segment after it.
inline std::uint64_t sample_cost(const Track& track)
{
    return 1 + track.curves.size() + track.components() / 8;
}
inline std::uint64_t breakpoint_cost(const Track& track)
{
    return 5 * sample_cost(track);
}

struct BakeTime {
    double start = 0.0; // ticks, start of the clip
    double ticks_per_second = 0.0;
    // In ticks: a time at which the pose is exact even where an extrapolation is sampled for a limited time
    // only.
    std::optional<double> pose_time{};
};

// Returns keys in seconds from the clip's start; they may be outside the clip. The channel's node is not set.
// Returns a channel without keys when baking would overdraw the budget.
scene::Channel bake(const Track& track, scene::Path path, const BakeTime& time, BakeBudget& budget);

} // namespace vitrine::fbx
