#pragma once
// <sampler>: keys over time, and the value at any time as COLLADA defines it for each interpolation.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

namespace vitrine::dae {

enum class KeyInterpolation : std::uint8_t { step, linear, bezier, hermite, cardinal, bspline };

// What comes before the first key or after the last one: the value of that key, the line of the two nearest,
// all keys again and again, to and fro, or each time moved on by the way from the first to the last value.
enum class Behaviour : std::uint8_t { constant, gradient, cycle, oscillate, cycle_relative };

// What STEP and a jump leave open at the very time of a key: the value from there on, or the one up to there.
enum class Side : std::uint8_t { after, before };

struct Curve {
    // Of tangents: none (the segment is straight), a value each (1-D: evenly spaced in time), or time and
    // value (2-D). BEZIER has control points, HERMITE derivatives.
    enum class Tangents : std::uint8_t { none, values, points };

    std::uint32_t dimensions = 0;
    // Ascending; two keys at one time are a jump: the first ends what comes before, the second begins the
    // rest.
    std::vector<double> times;
    std::vector<std::size_t> jumps;      // the second keys of these, ascending
    std::vector<double> values;          // dimensions a key
    std::vector<KeyInterpolation> kinds; // of the segment that begins at the key
    Tangents tangents = Tangents::none;
    Behaviour before = Behaviour::constant, after = Behaviour::constant;
    std::vector<double> in, out; // dimensions a key, with points twice as many: time, value, time, value ...
    mutable std::optional<std::uint32_t> kinds_there{}; // a bit each, once asked for

    std::size_t keys() const { return times.size(); }
    double first() const { return times.front(); }
    double last() const { return times.back(); }
    double value(std::size_t key, std::uint32_t dimension) const
    {
        return values[key * dimensions + dimension];
    }
    // Whether all segments are of these kinds. Each clip asks for it.
    bool has_only(std::initializer_list<KeyInterpolation> kinds_asked) const;
    bool has_extrapolation() const { return before != Behaviour::constant || after != Behaviour::constant; }

    // The key whose segment, which is no jump, holds `time`; none where an end value holds.
    std::optional<std::size_t> segment(double time, Side side) const;
    // Of the keys alone: outside of them the end values hold (curve_extrapolation.hpp has the rest).
    // Precondition: at least one key.
    double evaluate(double time, std::uint32_t dimension, Side side = Side::after) const;
};

} // namespace vitrine::dae
