#pragma once
// The time range in which a track is sampled, and its breakpoints. Private to loaders/fbx/curves.

#include <optional>
#include <utility>
#include <vector>

#include "loaders/fbx/curves/track.hpp"
#include "loaders/fbx/curves/track_extrapolation.hpp"

namespace vitrine::fbx {

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
