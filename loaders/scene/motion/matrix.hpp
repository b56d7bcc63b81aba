#pragma once
// Affine arithmetic. Private to loaders/scene.

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

namespace vitrine::scene {

// a * b for affine matrices. The last rows are assumed to be 0 0 0 1, so that rounding errors in a file's
// last row do not accumulate along a chain of joints.
glm::mat4 multiply_affine(const glm::mat4& a, const glm::mat4& b);

// Returns a unit quaternion; the identity if the length of `q` is zero or not finite.
glm::quat safe_normalize(const glm::quat& q);

// Eigenvectors of a symmetric matrix, as columns of an orthogonal matrix (rotation or mirrored rotation).
glm::dmat3 eigenvectors(glm::dmat3 symmetric);

} // namespace vitrine::scene
