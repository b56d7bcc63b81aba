#pragma once
// Slopes of cubic keys from their tangent modes (FbxAnimCurveDef). The formulas of the automatic modes are
// not documented; these agree with what MotionBuilder and Maya display and write.

#include <cstdint>
#include <span>
#include <vector>

#include "loaders/fbx/curves/curve.hpp"

namespace vitrine::fbx {

// Bits of KeyAttrFlags: interpolation, tangent modes, weighted tangents.
namespace key_flag {
inline constexpr std::uint32_t constant = 0x2;
inline constexpr std::uint32_t linear = 0x4;
inline constexpr std::uint32_t cubic = 0x8;
inline constexpr std::uint32_t constant_next = 0x100; // of constant keys
inline constexpr std::uint32_t tangent_auto = 0x100;  // of cubic keys, as all below
inline constexpr std::uint32_t tangent_tcb = 0x200;
inline constexpr std::uint32_t tangent_user = 0x400;
inline constexpr std::uint32_t broken = 0x800; // the tangents on the two sides of the key differ
inline constexpr std::uint32_t clamp = 0x1000;
inline constexpr std::uint32_t time_independent = 0x2000;
inline constexpr std::uint32_t clamp_progressive = 0x4000;
inline constexpr std::uint32_t weighted_right = 0x0100'0000;
inline constexpr std::uint32_t weighted_next_left = 0x0200'0000;
} // namespace key_flag

// A key and its neighbors; a missing neighbor has the key's own time.
struct KeyNeighbors {
    double previous_time, time, next_time;
    double previous_value, value, next_value;
    // Tangent lengths as fractions of the two segments.
    double left_weight = 1.0 / 3.0;
    double right_weight = 1.0 / 3.0;

    bool has_previous() const { return previous_time < time; }
    bool has_next() const { return time < next_time; }
};

struct Slopes {
    double left = 0.0;
    double right = 0.0;
};

// Returns the automatic tangent; times in seconds. `bias` is -100 to 100 percent towards the previous or the
// next key; values beyond that range add to the slope. At the ends of a curve: the slope of the only segment.
double auto_slope(const KeyNeighbors& key, double bias, std::uint32_t flags);

// Kochanek-Bartels tangents.
Slopes tcb_slopes(const KeyNeighbors& key, double tension, double continuity, double bias);

// The tangent definition of a key, before slopes are computed.
struct TangentDef {
    std::uint32_t flags = key_flag::linear;
    // Slopes per second, or bias (auto), or tension and continuity (TCB).
    double right = 0.0;
    double next_left = 0.0;
    double tcb_bias = 0.0;
};

// Sets the slopes of all keys from their tangent modes. A segment uses the right tangent of its first key and
// the left tangent of its second. The file stores both with the first key; automatic modes take theirs from
// the key they belong to. Matches the FBX SDK's evaluation, verified by comparing pairs of all kinds of keys.
void find_slopes(std::vector<CurveKey>& keys, std::span<const TangentDef> defs, double ticks_per_second);

} // namespace vitrine::fbx
