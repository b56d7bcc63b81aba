#pragma once
// Computes the slopes of a curve's segments from the tangent modes of its keys.

#include <span>
#include <vector>

#include "loaders/fbx/curves/curve.hpp"
#include "loaders/fbx/curves/tangents.hpp"

namespace vitrine::fbx {

// The tangent definition of a key, before slopes are computed.
struct TangentDef {
    std::uint32_t flags = key_flag::linear;
    // Slopes per second, or bias (auto), or tension and continuity (TCB).
    double right = 0.0;
    double next_left = 0.0;
    double tcb_bias = 0.0;
};

// Sets the slopes of all keys. A segment uses the right tangent of its first key and the left tangent of its
// second. The file stores both with the first key; automatic modes take theirs from the key they belong to.
// Matches the FBX SDK's evaluation, verified by comparing pairs of all kinds of keys.
void find_slopes(std::vector<CurveKey>& keys, std::span<const TangentDef> defs, double ticks_per_second);

} // namespace vitrine::fbx
