#pragma once
// <sampler>: keys over time and their evaluation, as COLLADA defines each interpolation.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

namespace vitrine::dae {

enum class SamplerInterpolation : std::uint8_t { step, linear, bezier, hermite, cardinal, bspline };

// Extrapolation before the first or after the last key: the key's value, the line through the two nearest
// keys, repetition, mirrored repetition, or repetition offset by the difference of last and first value.
enum class InfinityBehavior : std::uint8_t { constant, gradient, cycle, oscillate, cycle_relative };

// STEP and a jump have two values at the time of a key: the value after it or the value before it.
enum class JumpSide : std::uint8_t { after, before };

struct SamplerCurve {
    // Tangents: none (linear segment), one value each (1-D: evenly spaced in time), or time and value (2-D).
    // BEZIER has control points, HERMITE derivatives.
    enum class Tangents : std::uint8_t { none, values, points };

    std::uint32_t dimensions = 0;
    // Ascending; two keys at one time are a jump: the first ends the previous segment, the second starts the
    // next.
    std::vector<double> times;
    std::vector<std::size_t> jumps;          // indices of the second keys of jumps, ascending
    std::vector<double> values;              // `dimensions` per key
    std::vector<SamplerInterpolation> kinds; // of the segment that starts at the key
    Tangents tangents = Tangents::none;
    InfinityBehavior before = InfinityBehavior::constant, after = InfinityBehavior::constant;
    std::vector<double> in,
        out; // `dimensions` per key, for points twice as many: time, value, time, value ...
    mutable std::optional<std::uint32_t> kinds_there{}; // one bit per kind; computed on first use

    std::size_t keys() const { return times.size(); }
    double first() const { return times.front(); }
    double last() const { return times.back(); }
    double value(std::size_t key, std::uint32_t dimension) const
    {
        return values[key * dimensions + dimension];
    }
    // Returns whether all segments are of these kinds; called for each clip.
    bool has_only(std::initializer_list<SamplerInterpolation> kinds_asked) const;
    bool has_extrapolation() const
    {
        return before != InfinityBehavior::constant || after != InfinityBehavior::constant;
    }

    // Returns the key whose segment, which is not a jump, contains `time`; nullopt where an end value is
    // held.
    std::optional<std::size_t> segment(double time, JumpSide side) const;
    // Evaluates between the keys; outside them the end values are held (extrapolation:
    // curve_extrapolation.hpp). Precondition: at least one key.
    double evaluate(double time, std::uint32_t dimension, JumpSide side = JumpSide::after) const;
};

} // namespace vitrine::dae
