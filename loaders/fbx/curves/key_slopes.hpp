#pragma once
// From the modes of a curve's tangents to the slopes of its segments.

#include <span>
#include <vector>

#include "loaders/fbx/curves/curve.hpp"
#include "loaders/fbx/curves/tangents.hpp"

namespace vitrine::fbx {

// How a key's slopes come about, until those of all keys are known.
struct TangentDef {
    std::uint32_t flags = key_flag::linear;
    // Slopes per second, or bias (auto), or tension and continuity (TCB).
    double right = 0.0;
    double next_left = 0.0;
    double tcb_bias = 0.0;
};

// Sets the slopes of all keys. A segment takes the right tangent of its first key and the left one of its
// second. The file stores both with the first key; the modes that are computed know them from the key they
// belong to. As the FBX SDK evaluates, found by comparing pairs of all kinds of keys.
void find_slopes(std::vector<CurveKey>& keys, std::span<const TangentDef> defs, double ticks_per_second);

} // namespace vitrine::fbx
