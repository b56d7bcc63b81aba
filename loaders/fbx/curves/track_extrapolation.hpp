#pragma once
// What curves do outside their keys, and what of that a channel can say.

#include <span>

#include "loaders/fbx/curves/track.hpp"

namespace vitrine::fbx {

// Ticks between a curve's first and last key.
double period_of(const Curve& curve);
const CurveEnd& end_of(const Curve& curve, bool is_before);
bool repeats(const CurveEnd& end);
// Whether the value at the end holds, as it also does where there is nothing to repeat or no slope to keep.
bool is_constant_end(const Curve& curve, bool is_before);
// Of an end that keeps its slope, however fast: value per tick, never negative. 0: it keeps none.
double steepness(const Curve& curve, bool is_before);

struct TrackEnd {
    scene::Extrapolation how;
    // Some components go on straight and others stay: one more key at the end says so by its tangents.
    bool straight = false;
    // The channel cannot say it: breakpoints go on to here, ticks, and then the last value holds.
    double sampled_to = 0.0;
    bool is_sampled = false;
    bool is_complete = true; // of a sampled end: nothing moves beyond
};

struct TrackEnds {
    TrackEnd before, after;
};

// Of the curves of a track that move. `step`: how far a curve may go between two breakpoints, in its unit
// (degrees); infinite for what is no rotation.
TrackEnds find_ends(std::span<const Curve* const> moving, bool is_plain, double step,
                    double ticks_per_second);

} // namespace vitrine::fbx
