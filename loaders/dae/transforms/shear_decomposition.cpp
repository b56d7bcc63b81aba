#include "loaders/dae/transforms/shear_decomposition.hpp"

#include <algorithm>
#include <cmath>

namespace vitrine::dae {
namespace {

// For cosines between columns. Files write six decimals, also for small scales.
constexpr double min_shear = 1e-3;
constexpr double shear_tolerance = 1e-12;

// Jacobi rotation: makes the off-diagonal element of two axes of a symmetric matrix zero, by the smaller of
// the two possible angles.
void turn_plane(glm::dmat3& a, glm::dmat3& axes, glm::length_t p, glm::length_t q)
{
    const double tolerance = shear_tolerance * (std::abs(a[p][p]) + std::abs(a[q][q]));
    if (!(std::abs(a[p][q]) > tolerance)) return;
    const double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    const double tangent = std::copysign(1.0, theta) / (std::abs(theta) + std::hypot(theta, 1.0));
    const double cosine = 1.0 / std::hypot(tangent, 1.0), sine = tangent * cosine;
    glm::dmat3 turn(1.0);
    turn[p][p] = turn[q][q] = cosine;
    turn[q][p] = sine;
    turn[p][q] = -sine;
    a = glm::transpose(turn) * a * turn;
    axes = axes * turn;
}

glm::dvec3 unit_across(const glm::dvec3& v, const glm::dvec3& unit)
{
    const glm::dvec3 across = v - glm::dot(v, unit) * unit;
    const double length = glm::length(across);
    if (length > shear_tolerance) return across / length;
    const glm::dvec3 any = std::abs(unit.x) < 0.9 ? glm::dvec3(1.0, 0.0, 0.0) : glm::dvec3(0.0, 1.0, 0.0);
    return glm::normalize(glm::cross(unit, any));
}

// Returns the rotation whose axes are along three perpendicular columns, some of which may be zero.
glm::dmat3 along(const glm::dmat3& columns)
{
    glm::length_t order[] = {0, 1, 2};
    std::ranges::sort(order, std::ranges::greater{}, [&](auto c) { return glm::length(columns[c]); });
    const auto [longest, second, last] = order;
    if (!(glm::length(columns[longest]) > 0.0)) return glm::dmat3(1.0);
    glm::dmat3 out(1.0);
    out[longest] = glm::normalize(columns[longest]);
    out[second] = unit_across(columns[second] / glm::length(columns[longest]), out[longest]);
    out[last] = glm::cross(out[(last + 1) % 3], out[(last + 2) % 3]);
    return out;
}

} // namespace

SvdFactors decompose_svd(const glm::dmat3& matrix, const glm::dquat& near)
{
    const glm::dmat3 start = glm::mat3_cast(near);
    glm::dmat3 squares = glm::transpose(matrix * start) * (matrix * start), turned(1.0);
    for (int sweep = 0; sweep < 8; ++sweep) {
        turn_plane(squares, turned, 0, 1);
        turn_plane(squares, turned, 0, 2);
        turn_plane(squares, turned, 1, 2);
    }
    SvdFactors out;
    out.axes = glm::normalize(near * glm::quat_cast(turned));
    // A mirroring matrix has negative scales along all three axes.
    const glm::dmat3 columns = matrix * glm::mat3_cast(out.axes);
    const double sign = glm::determinant(matrix) < 0.0 ? -1.0 : 1.0;
    const glm::dmat3 turn = along(sign * columns);
    out.turn = glm::quat_cast(turn);
    for (glm::length_t c = 0; c < 3; ++c)
        out.scale[c] = glm::dot(turn[c], columns[c]);
    return out;
}

bool is_sheared(const glm::dmat3& matrix)
{
    for (glm::length_t c = 0; c < 3; ++c) {
        const glm::dvec3 &a = matrix[c], &b = matrix[(c + 1) % 3];
        const double dot = glm::dot(a, b);
        if (dot * dot > min_shear * min_shear * glm::dot(a, a) * glm::dot(b, b)) return true;
    }
    return false;
}

} // namespace vitrine::dae
