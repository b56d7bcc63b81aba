#pragma once
// A matrix with shear is not a TRS but a rotation, a scale along axes and a rotation: its singular value
// decomposition.

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

namespace vitrine::dae {

// matrix = turn * scale * inverse(axes)
struct SvdFactors {
    glm::dquat turn{1.0, 0.0, 0.0, 0.0};
    glm::dvec3 scale{1.0};
    glm::dquat axes{1.0, 0.0, 0.0, 0.0}; // directions along which the matrix scales
};

// Order and signs of the axes are arbitrary: the ones closest to `near` are chosen, so that they are
// continuous over time.
SvdFactors decompose_svd(const glm::dmat3& matrix, const glm::dquat& near);

// Returns whether columns deviate from right angles by more than rounding.
bool is_sheared(const glm::dmat3& matrix);

} // namespace vitrine::dae
