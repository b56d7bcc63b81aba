#pragma once
// Affine arithmetic that the jobs of this module share. Private to loaders/scene.

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

namespace vitrine::scene {

// a * b for affine matrices: the last rows are taken as 0 0 0 1 without looking, so that rounding in a file's
// last row cannot grow along a chain of joints.
glm::mat4 multiply_affine(const glm::mat4& a, const glm::mat4& b);

// Unit length; the identity for a quaternion that has no direction.
glm::quat safe_normalize(const glm::quat& q);

// Eigenvectors of a symmetric matrix, as columns of a rotation or of a rotation mirrored.
glm::dmat3 eigenvectors(glm::dmat3 symmetric);

} // namespace vitrine::scene
