#pragma once
// What a channel does outside its curves' keys, and the times at which its motion is not smooth.

#include <optional>
#include <utility>
#include <vector>

#include "loaders/fbx/curves/track.hpp"
#include "loaders/fbx/curves/track_extrapolation.hpp"

namespace vitrine::fbx {

struct TrackRange {
    TrackEnd before, after;
    std::vector<double> breakpoints; // ticks, ascending
    // Between what is sampled and the moment that is kept: nothing there is meant.
    std::optional<std::pair<double, double>> gap{};
};

// Breakpoints beyond the curves' own keys are no more than what is left of the budget can sample; it is not
// spent.
TrackRange find_range(const Track& track, bool is_rotation, const BakeTime& time, BakeBudget& budget);

} // namespace vitrine::fbx
