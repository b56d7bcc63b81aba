#pragma once
// Loops over the large arrays of a scene: checks of numbers and indices, boxes, transforms and linear
// skinning of points. The result is that of the plain loop, bit by bit. The loops are written so that the
// compiler vectorizes them, and compiled a second time for AVX2 (docs/decisions/0020-vectorized-loops.md);
// loops.hpp has the bodies.
//
// Pure functions; spans are only read or written during the call.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Whether no value is infinite or NaN.
bool all_finite(std::span<const float> values);
template <glm::length_t N>
bool all_finite(const Array<glm::vec<N, float>>& values)
{
    return values.empty() || all_finite(std::span(&values[0].x, values.size() * N));
}

// Whether every index is less than `count`.
bool all_below(std::span<const std::uint32_t> indices, std::size_t count);

// Whether no value is less than the value before it.
bool is_ascending(std::span<const std::uint32_t> values);

// 0 if there are no values.
std::uint16_t max_value(std::span<const std::uint16_t> values);

// Extends the box by the points, ignoring coordinates that are NaN. Of equal extremes (0 and -0) the box
// keeps the first. Returns whether all coordinates are finite.
bool add_points(std::span<const glm::vec3> points, glm::vec3& min, glm::vec3& max);

// An affine matrix by columns, as skin_points() reads it. The fourth number of a column is not used.
struct alignas(32) JointMatrix {
    double columns[4][4];
};
// `rows` are the first three rows of the matrix.
JointMatrix to_joint_matrix(const glm::vec4 (&rows)[3]);

// out[i] = matrix * points[i], computed in double and rounded once. `out` has the length of `points` and may
// be the same memory.
void transform_points(const JointMatrix& matrix, std::span<const glm::vec3> points, std::span<glm::vec3> out);

// Linear skinning of the vertices first_vertex, first_vertex + 1, ... at `points`: out[i] = (sum of weight *
// matrix)
// * points[i], computed in double and rounded once. A vertex without influences follows the last matrix of
// `palette`. `out` has the length of `points` and may be the same memory.
void skin_points(const Influences& influences, std::span<const JointMatrix> palette, std::size_t first_vertex,
                 std::span<const glm::vec3> points, std::span<glm::vec3> out);

} // namespace vitrine::scene
