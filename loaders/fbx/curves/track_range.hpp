#pragma once
// The time range in which a track is sampled, and its breakpoints (track_range.cpp); what a channel does
// before its first and after its last key, from the ends of its curves (track_extrapolation.cpp). Private to
// loaders/fbx/curves.

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "loaders/fbx/curves/curve.hpp"
#include "loaders/fbx/curves/track.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::fbx {

// Returns the ticks between a curve's first and last key.
double period_of(const Curve& curve);
const CurveEnd& end_of(const Curve& curve, bool is_before);
bool repeats(const CurveEnd& end);
// Returns whether the end value is held; also true when there is nothing to repeat or no slope to continue.
bool is_constant_end(const Curve& curve, bool is_before);
// Returns the slope of an end that continues linearly: absolute value per tick; 0 for other ends.
double steepness(const Curve& curve, bool is_before);

struct TrackEnd {
    scene::Extrapolation how;
    // Some components continue linearly and others are constant; an extra key at the end represents this by
    // its tangents.
    bool straight = false;
    // The channel cannot represent it: breakpoints continue up to this time (ticks), then the last value is
    // held.
    double sampled_to = 0.0;
    bool is_sampled = false;
    bool is_complete = true; // of a sampled end: the motion is constant beyond
};

struct TrackEnds {
    TrackEnd before, after;
};

// For the animated curves of a track. `step` is the largest change of a curve between two breakpoints, in its
// unit (degrees); infinite for tracks that are not rotations.
TrackEnds find_ends(std::span<const Curve* const> moving, bool is_plain, double step,
                    double ticks_per_second);

// The time range of a channel outside its curves' keys, and the times at which its motion is not smooth.
struct TrackRange {
    TrackEnd before, after;
    std::vector<double> breakpoints; // ticks, ascending
    // The interval between the sampled range and the exact pose time; values inside it are not meaningful.
    std::optional<std::pair<double, double>> gap{};
};

// Limits breakpoints beyond the curves' own keys to what the remaining budget can sample; does not spend it.
TrackRange find_range(const Track& track, bool is_rotation, const BakeTime& time, BakeBudget& budget);

} // namespace vitrine::fbx
