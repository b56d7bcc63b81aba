#pragma once
// One animation curve: keys, how each is left for the next, and what lies before the first and after the last
// (FbxAnimCurve). Times are the file's ticks, which doubles hold exactly for two days of animation, so that
// keys of different curves, and whole periods later, are the same number.

#include <cstdint>
#include <vector>

namespace vitrine::fbx {

enum class KeyInterpolation : std::uint8_t {
    constant,      // the key's value until the next key
    constant_next, // the next key's value as soon as the key has passed
    linear,
    cubic, // Bezier in time and value
};

struct CurveKey {
    double time = 0.0; // ticks
    double value = 0.0;
    // Of the segment to the next key: slopes as value per tick, lengths of the tangents as a share of the
    // segment's time. All are read for cubic segments only.
    double right_slope = 0.0;
    double next_left_slope = 0.0;
    float right_weight = 1.0f / 3.0f;
    float next_left_weight = 1.0f / 3.0f;
    KeyInterpolation interpolation = KeyInterpolation::cubic;
};

enum class CurveExtrapolation : std::uint8_t {
    constant,
    repetition,
    mirror,
    keep_slope,
    relative_repetition
};

struct CurveEnd {
    CurveExtrapolation mode = CurveExtrapolation::constant;
    std::int32_t count = -1; // of repetitions; negative: without end
};

struct Curve {
    std::vector<CurveKey> keys; // times ascend; two keys of one time are a jump
    CurveEnd before{};
    CurveEnd after{};

    double first_time() const { return keys.front().time; }
    double last_time() const { return keys.back().time; }
};

// A curve may jump at a time: the value that it comes from, the one that it has at that very time (a key's,
// which frames that are exported there show), or the one that it goes on with.
enum class Side : std::uint8_t { before, at, after };

struct CurveSample {
    double value = 0.0;
    double rate = 0.0; // value per tick, one-sided; 0 at a key itself
};

// `hint` is the key found by the call before; times that come in order are then found at once.
// Precondition: the curve has a key.
CurveSample sample(const Curve& curve, double time, Side side, std::size_t& hint);
CurveSample sample(const Curve& curve, double time, Side side = Side::after);

// The same value at all times.
bool is_constant(const Curve& curve);
// An upper bound of how far the value travels, up and down, along the segment that starts at a key.
double travel(const Curve& curve, std::size_t key);

} // namespace vitrine::fbx
