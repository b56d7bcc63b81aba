#pragma once
// A triangle's contribution to the normals of its vertices.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <glm/glm.hpp>

namespace vitrine::scene {

// atan2(y, x) in radians for y > 0 with an error below 1e-7, sufficient for weights. Several times faster
// than the library's: the polynomial (4.4.49 of Abramowitz and Stegun, Handbook of Mathematical Functions)
// covers an eighth of the circle and the rest is mapped onto it without branches.
inline double fast_atan2(double y, double x)
{
    constexpr double eighth_turn = std::numbers::pi / 4;
    const double across = std::abs(x);
    const double t = std::min(y, across) / std::max(y, across), s = t * t;
    double series = 0.0028662257;
    for (const double factor : {-0.0161657367, 0.0429096138, -0.0752896400, 0.1065626393, -0.1420889944,
                                0.1999355085, -0.3333314528, 1.0})
        series = series * s + factor;
    const double right = eighth_turn - std::copysign(eighth_turn - t * series, across - y);
    return 2 * eighth_turn - std::copysign(2 * eighth_turn - right, x);
}

struct TriangleMeasure {
    glm::dvec3 normal{0.0};         // unit length; zero for a triangle without area
    std::array<double, 3> angles{}; // at its corners, radians; zero for a triangle without area
};

// The cross product of any two sides is the same vector with twice the area as its length; the angles sum to
// pi.
[[gnu::always_inline]] inline TriangleMeasure measure_triangle(const glm::dvec3& a, const glm::dvec3& b,
                                                               const glm::dvec3& c)
{
    const glm::dvec3 ab = b - a, ac = c - a, bc = c - b;
    const glm::dvec3 cross = glm::cross(ab, bc);
    const double length = glm::length(cross);
    if (!(length > 0.0) || !std::isfinite(length)) return {};
    const double at_a = fast_atan2(length, glm::dot(ab, ac)), at_b = fast_atan2(length, -glm::dot(ab, bc));
    return {cross / length, {at_a, at_b, std::max(0.0, std::numbers::pi - at_a - at_b)}};
}

} // namespace vitrine::scene
