#pragma once
// One animation curve: keys, the interpolation between them, and the extrapolation before the first and after
// the last key (FbxAnimCurve). Times are the file's ticks, which doubles represent exactly for two days of
// animation, so keys of different curves and times offset by whole periods compare equal.

#include <cstdint>
#include <vector>

namespace vitrine::fbx {

enum class KeyInterpolation : std::uint8_t {
    constant,      // the key's value until the next key
    constant_next, // the next key's value immediately after the key
    linear,
    cubic, // Bezier in time and value
};

// Of a tangent, as a fraction of the segment's duration.
inline constexpr double unweighted_length = 1.0 / 3.0;

struct CurveKey {
    double time = 0.0; // ticks
    double value = 0.0;
    // Of the segment to the next key: slopes in value per tick, tangent lengths as a fraction of the
    // segment's duration. Only used for cubic segments.
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
    std::int32_t count = -1; // number of repetitions; negative: unlimited
};

struct Curve {
    std::vector<CurveKey> keys; // ascending times; two keys at one time are a jump
    CurveEnd before{};
    CurveEnd after{};

    double first_time() const { return keys.front().time; }
    double last_time() const { return keys.back().time; }
};

// A curve may jump at a time. Selects the value before the jump, the value exactly at that time (the key's,
// which exported frames at that time show), or the value after it.
enum class TimeSide : std::uint8_t { before, at, after };

struct CurveSample {
    double value = 0.0;
    double rate = 0.0; // value per tick, one-sided; 0 exactly at a key
};

// `hint` is the key found by the previous call; ascending times are then found in constant time.
// Precondition: the curve has a key.
CurveSample sample(const Curve& curve, double time, TimeSide side, std::size_t& hint);
CurveSample sample(const Curve& curve, double time, TimeSide side = TimeSide::after);

// Returns whether the value is the same at all times.
bool is_constant(const Curve& curve);
// Returns an upper bound of the total variation of the value along the segment that starts at a key.
double travel(const Curve& curve, std::size_t key);

} // namespace vitrine::fbx
