#include "loaders/scene/motion/matrix.hpp"

#include <array>
#include <cmath>
#include <cstring>

#include "loaders/scene/motion/dual_quaternion.hpp"
#include "loaders/scene/motion/pose.hpp"

namespace vitrine::scene {
namespace {

// Relative length below which a column is considered to have no independent direction.
constexpr double min_relative_length = 1e-7;

glm::dvec3 any_perpendicular(const glm::dvec3& unit)
{
    const glm::dvec3 a = glm::abs(unit);
    const glm::dvec3 axis = a.x <= a.y && a.x <= a.z ? glm::dvec3(1, 0, 0)
                            : a.y <= a.z             ? glm::dvec3(0, 1, 0)
                                                     : glm::dvec3(0, 0, 1);
    return glm::normalize(glm::cross(unit, axis));
}

// The directions of three columns, made orthonormal and right-handed by Gram-Schmidt, x first. Columns
// without a direction (zero, or in the plane of earlier columns) are completed from the others.
glm::dmat3 orthonormal_axes(const glm::dmat3& m)
{
    std::array<glm::dvec3, 3> axis{};
    std::array<bool, 3> has_direction{};
    int count = 0;
    for (int i = 0; i < 3 && count < 2; ++i) {
        const double length = glm::length(m[i]);
        if (!(length > 0.0)) continue;
        glm::dvec3 direction = m[i] / length;
        for (int j = 0; j < i; ++j) {
            if (has_direction[static_cast<std::size_t>(j)]) {
                const glm::dvec3& other = axis[static_cast<std::size_t>(j)];
                direction -= other * glm::dot(other, direction);
            }
        }
        if (glm::length(direction) < min_relative_length) continue;
        axis[static_cast<std::size_t>(i)] = glm::normalize(direction);
        has_direction[static_cast<std::size_t>(i)] = true;
        ++count;
    }
    if (count == 0) return glm::dmat3(1.0);
    if (count == 1) {
        const std::size_t i = has_direction[0] ? 0 : has_direction[1] ? 1 : 2;
        const std::size_t next = (i + 1) % 3;
        axis[next] = any_perpendicular(axis[i]);
        has_direction[next] = true;
    }
    const std::size_t missing = !has_direction[0] ? 0 : !has_direction[1] ? 1 : 2;
    axis[missing] = glm::cross(axis[(missing + 1) % 3], axis[(missing + 2) % 3]);
    return {axis[0], axis[1], axis[2]};
}

// One Jacobi rotation in the plane (p, q): `a` stays symmetric and this element becomes zero.
void jacobi_rotate(glm::dmat3& a, glm::dmat3& vectors, int p, int q)
{
    if (std::abs(a[p][q]) <= 1e-17 * (std::abs(a[p][p]) + std::abs(a[q][q]))) return;
    const double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::hypot(theta, 1.0));
    const double c = 1.0 / std::hypot(t, 1.0);
    glm::dmat3 turn(1.0);
    turn[p][p] = turn[q][q] = c;
    turn[q][p] = t * c;
    turn[p][q] = -t * c;
    a = glm::transpose(turn) * a * turn;
    vectors = vectors * turn;
}

} // namespace

// Uses cyclic Jacobi rotations, which converge quadratically.
glm::dmat3 eigenvectors(glm::dmat3 a)
{
    glm::dmat3 vectors(1.0);
    for (int sweep = 0; sweep < 10; ++sweep) {
        jacobi_rotate(a, vectors, 0, 1);
        jacobi_rotate(a, vectors, 0, 2);
        jacobi_rotate(a, vectors, 1, 2);
    }
    return vectors;
}

// A column is a vector, so that the compiler does not split it.
glm::mat4 multiply_affine(const glm::mat4& a, const glm::mat4& b)
{
    using Column = float __attribute__((vector_size(16)));
    Column columns[4];
    static_assert(sizeof(columns) == sizeof(glm::mat4));
    std::memcpy(columns, &a, sizeof(columns));
    const auto product = [&](const glm::vec4& v) {
        return columns[0] * v.x + columns[1] * v.y + columns[2] * v.z;
    };
    Column out[4] = {product(b[0]), product(b[1]), product(b[2]), product(b[3]) + columns[3]};
    for (int c = 0; c < 4; ++c)
        out[c][3] = c == 3 ? 1.0f : 0.0f;
    glm::mat4 result;
    std::memcpy(&result, out, sizeof(out));
    return result;
}

glm::quat safe_normalize(const glm::quat& q)
{
    const glm::dvec4 v(q.x, q.y, q.z, q.w);
    const double length = glm::length(v);
    if (!(length > 1e-30)) return glm::quat(1.0f, 0.0f, 0.0f, 0.0f);
    const glm::vec4 unit(v / length);
    return glm::quat(unit.w, unit.x, unit.y, unit.z);
}

glm::mat4 to_matrix(const Trs& trs)
{
    const glm::mat3 rotation = glm::mat3_cast(trs.rotation);
    return {glm::vec4(rotation[0] * trs.scale.x, 0.0f), glm::vec4(rotation[1] * trs.scale.y, 0.0f),
            glm::vec4(rotation[2] * trs.scale.z, 0.0f), glm::vec4(trs.translation, 1.0f)};
}

Trs decompose(const glm::mat4& matrix)
{
    const glm::dmat3 linear{glm::dmat4(matrix)};
    const glm::dmat3 axes = orthonormal_axes(linear);
    const glm::dquat rotation = glm::normalize(glm::quat_cast(axes));
    Trs out;
    out.translation = glm::vec3(matrix[3]);
    out.rotation = glm::quat(rotation);
    out.scale = glm::vec3(
        glm::dvec3(glm::dot(axes[0], linear[0]), glm::dot(axes[1], linear[1]), glm::dot(axes[2], linear[2])));
    return out;
}

// L = R S with the nearest rotation R and a symmetric S = V D V^T: L = (R V) D V^T.
AffineFactors factor_affine(const glm::mat4& matrix)
{
    const glm::mat4 rows = glm::transpose(matrix);
    const RigidJoint joint = split({{rows[0], rows[1], rows[2]}});
    glm::dmat3 v = eigenvectors(joint.stretch);
    if (glm::determinant(v) < 0.0) v[0] = -v[0];
    const auto stretch = [&](int i) { return static_cast<float>(glm::dot(v[i], joint.stretch * v[i])); };
    AffineFactors out;
    out.outer.translation = glm::vec3(matrix[3]);
    out.outer.rotation = glm::quat(glm::normalize(joint.rotation * glm::quat_cast(v)));
    out.outer.scale = {stretch(0), stretch(1), stretch(2)};
    out.inner = glm::quat(glm::normalize(glm::conjugate(glm::quat_cast(v))));
    return out;
}

} // namespace vitrine::scene
