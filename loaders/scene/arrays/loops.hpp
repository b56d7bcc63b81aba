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

[[gnu::always_inline]] inline bool add_points(std::span<const glm::vec3> points, glm::vec3& min,
                                              glm::vec3& max)
{
    constexpr std::size_t block = 8; // points; with AVX2 three vectors of eight numbers
    constexpr std::size_t lanes = 3 * block;
    constexpr float infinite = std::numeric_limits<float>::infinity();
    float lane_low[lanes], lane_high[lanes];
    std::uint32_t lane_bits[lanes];
    for (std::size_t k = 0; k < lanes; ++k) {
        lane_low[k] = infinite;
        lane_high[k] = -infinite;
        lane_bits[k] = 0;
    }
    const std::size_t blocks = points.size() / block;
    const float* numbers = blocks == 0 ? nullptr : &points[0].x;
    for (std::size_t i = 0; i < blocks; ++i, numbers += lanes) {
        for (std::size_t k = 0; k < lanes; ++k) {
            lane_low[k] = numbers[k] < lane_low[k] ? numbers[k] : lane_low[k];
            lane_high[k] = lane_high[k] < numbers[k] ? numbers[k] : lane_high[k];
            lane_bits[k] |= non_finite_bit(numbers[k]);
        }
    }
    glm::vec3 low(infinite), high(-infinite);
    std::uint32_t bits = 0;
    const auto add = [&](const glm::vec3& from, const glm::vec3& to) {
        low = glm::min(low, from); // keeps its argument if `from` is NaN
        high = glm::max(high, to);
    };
    for (std::size_t k = 0; k < lanes; k += 3) {
        add({lane_low[k], lane_low[k + 1], lane_low[k + 2]},
            {lane_high[k], lane_high[k + 1], lane_high[k + 2]});
        bits |= lane_bits[k] | lane_bits[k + 1] | lane_bits[k + 2];
    }
    for (const glm::vec3& point : points.subspan(blocks * block)) {
        add(point, point);
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

using Double4 = double __attribute__((vector_size(32), may_alias));

[[gnu::always_inline]] inline void skin_points(const Influences& influences,
                                               std::span<const JointMatrix> palette, std::size_t first_vertex,
                                               std::span<const glm::vec3> points, std::span<glm::vec3> out)
{
    const std::uint32_t* const first = influences.first.data() + first_vertex;
    const std::uint16_t* const joints = influences.joints.data();
    const float* const weights = influences.weights.data();
    for (std::size_t v = 0; v < points.size(); ++v) {
        Double4 a{}, b{}, c{}, d{};
        const auto add = [&](const JointMatrix& matrix, double weight) __attribute__((always_inline)) {
            a += *reinterpret_cast<const Double4*>(matrix.columns[0]) * weight;
            b += *reinterpret_cast<const Double4*>(matrix.columns[1]) * weight;
            c += *reinterpret_cast<const Double4*>(matrix.columns[2]) * weight;
            d += *reinterpret_cast<const Double4*>(matrix.columns[3]) * weight;
        };
        if (first[v] == first[v + 1]) add(palette.back(), 1.0);
        for (std::size_t i = first[v]; i < first[v + 1]; ++i)
            add(palette[joints[i]], double{weights[i]});
        const glm::vec3 point = points[v];
        const Double4 moved = (a * double{point.x} + b * double{point.y}) + (c * double{point.z} + d);
        out[v] = {static_cast<float>(moved[0]), static_cast<float>(moved[1]), static_cast<float>(moved[2])};
    }
}

} // namespace vitrine::scene::loops
