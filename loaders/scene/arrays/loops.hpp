#pragma once
// Bodies of the functions of arrays.hpp. They are inlined into each compiled version, so that tests and the
// benchmark can run the one for processors without AVX2 too.
//
// No loop may need the reordering of additions, and AVX2 is used without FMA: both versions round alike.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include <glm/glm.hpp>

#include "loaders/scene/arrays/arrays.hpp"

namespace vitrine::scene::loops {

// The highest bit is set if the value is infinite or NaN: only then does the exponent overflow into the sign.
[[gnu::always_inline]] inline std::uint32_t non_finite_bit(float value)
{
    return (std::bit_cast<std::uint32_t>(value) & 0x7FFF'FFFFu) + 0x0080'0000u;
}

[[gnu::always_inline]] inline bool all_finite(std::span<const float> values)
{
    std::uint32_t bits = 0;
    for (const float value : values)
        bits |= non_finite_bit(value);
    return bits >> 31 == 0;
}

template <class T>
[[gnu::always_inline]] inline T max_value(std::span<const T> values)
{
    T largest = 0;
    for (const T value : values)
        largest = std::max(largest, value);
    return largest;
}

[[gnu::always_inline]] inline bool all_below(std::span<const std::uint32_t> indices, std::size_t count)
{
    return indices.empty() || max_value(indices) < count;
}

[[gnu::always_inline]] inline bool is_ascending(std::span<const std::uint32_t> values)
{
    std::uint32_t failed = 0;
    for (std::size_t i = 1; i < values.size(); ++i)
        failed |= static_cast<std::uint32_t>(values[i - 1] > values[i]);
    return failed == 0;
}

// A zero extreme of an axis: 0 and -0 are equal, the plain loop keeps the first.
inline float first_zero(std::span<const glm::vec3> points, glm::length_t axis)
{
    for (const glm::vec3& point : points) {
        if (point[axis] == 0.0f) return point[axis];
    }
    return 0.0f;
}

// The extremes of numbers by their place in a block of eight points: three vectors with AVX2.
struct PointLanes {
    static constexpr std::size_t points = 8;
    static constexpr std::size_t count = 3 * points;

    float low[count];
    float high[count];
    std::uint32_t bits[count]; // of non_finite_bit()
};

[[gnu::always_inline]] inline PointLanes lanes_of(std::span<const glm::vec3> points)
{
    constexpr float infinite = std::numeric_limits<float>::infinity();
    PointLanes lanes;
    for (std::size_t k = 0; k < PointLanes::count; ++k) {
        lanes.low[k] = infinite;
        lanes.high[k] = -infinite;
        lanes.bits[k] = 0;
    }
    const std::size_t blocks = points.size() / PointLanes::points;
    const float* numbers = blocks == 0 ? nullptr : &points[0].x;
    for (std::size_t i = 0; i < blocks; ++i, numbers += PointLanes::count) {
        for (std::size_t k = 0; k < PointLanes::count; ++k) { // false if the number is NaN
            lanes.low[k] = numbers[k] < lanes.low[k] ? numbers[k] : lanes.low[k];
            lanes.high[k] = lanes.high[k] < numbers[k] ? numbers[k] : lanes.high[k];
            lanes.bits[k] |= non_finite_bit(numbers[k]);
        }
    }
    return lanes;
}

[[gnu::always_inline]] inline bool add_points(std::span<const glm::vec3> points, glm::vec3& min,
                                              glm::vec3& max)
{
    const PointLanes lanes = lanes_of(points);
    glm::vec3 low(lanes.low[0], lanes.low[1], lanes.low[2]);
    glm::vec3 high(lanes.high[0], lanes.high[1], lanes.high[2]);
    std::uint32_t bits = lanes.bits[0] | lanes.bits[1] | lanes.bits[2];
    for (std::size_t k = 3; k < PointLanes::count; k += 3) {
        low = glm::min(low, glm::vec3(lanes.low[k], lanes.low[k + 1], lanes.low[k + 2]));
        high = glm::max(high, glm::vec3(lanes.high[k], lanes.high[k + 1], lanes.high[k + 2]));
        bits |= lanes.bits[k] | lanes.bits[k + 1] | lanes.bits[k + 2];
    }
    const std::size_t rest = points.size() / PointLanes::points * PointLanes::points;
    for (const glm::vec3& point : points.subspan(rest)) {
        low = glm::min(low, point); // unchanged if the point is NaN
        high = glm::max(high, point);
        bits |= non_finite_bit(point.x) | non_finite_bit(point.y) | non_finite_bit(point.z);
    }
    for (glm::length_t axis = 0; axis < 3; ++axis) {
        if (low[axis] == 0.0f) low[axis] = first_zero(points, axis);
        if (high[axis] == 0.0f) high[axis] = first_zero(points, axis);
    }
    min = glm::min(min, low);
    max = glm::max(max, high);
    return bits >> 31 == 0;
}

[[gnu::always_inline]] inline void
transform_points(const JointMatrix& matrix, std::span<const glm::vec3> points, std::span<glm::vec3> out)
{
    const JointMatrix own = matrix; // `out` cannot overlap it
    const auto& m = own.columns;
    const auto row = [&](std::size_t r, const glm::vec3& p) __attribute__((always_inline)) {
        return static_cast<float>((m[0][r] * double{p.x} + m[1][r] * double{p.y}) +
                                  (m[2][r] * double{p.z} + m[3][r]));
    };
    for (std::size_t i = 0; i < points.size(); ++i)
        out[i] = {row(0, points[i]), row(1, points[i]), row(2, points[i])};
}

using MatrixColumn = double __attribute__((vector_size(32), may_alias));

[[gnu::always_inline]] inline void skin_points(const Influences& influences,
                                               std::span<const JointMatrix> palette, std::size_t first_vertex,
                                               std::span<const glm::vec3> points, std::span<glm::vec3> out)
{
    const std::uint32_t* const first = influences.first.data() + first_vertex;
    const std::uint16_t* const joints = influences.joints.data();
    const float* const weights = influences.weights.data();
    for (std::size_t v = 0; v < points.size(); ++v) {
        MatrixColumn a{}, b{}, c{}, d{};
        const auto add = [&](const JointMatrix& matrix, double weight) __attribute__((always_inline)) {
            a += *reinterpret_cast<const MatrixColumn*>(matrix.columns[0]) * weight;
            b += *reinterpret_cast<const MatrixColumn*>(matrix.columns[1]) * weight;
            c += *reinterpret_cast<const MatrixColumn*>(matrix.columns[2]) * weight;
            d += *reinterpret_cast<const MatrixColumn*>(matrix.columns[3]) * weight;
        };
        if (first[v] == first[v + 1]) add(palette.back(), 1.0);
        for (std::size_t i = first[v]; i < first[v + 1]; ++i)
            add(palette[joints[i]], double{weights[i]});
        const glm::vec3 point = points[v];
        const MatrixColumn moved = (a * double{point.x} + b * double{point.y}) + (c * double{point.z} + d);
        out[v] = {static_cast<float>(moved[0]), static_cast<float>(moved[1]), static_cast<float>(moved[2])};
    }
}

} // namespace vitrine::scene::loops
