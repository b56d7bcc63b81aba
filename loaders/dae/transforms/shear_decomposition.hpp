#pragma once
// A matrix that shears is no T R S, but a turn, a scale along axes and a turn: its singular values.

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

namespace vitrine::dae {

// matrix = turn * scale * inverse(axes)
struct SvdFactors {
    glm::dquat turn{1.0, 0.0, 0.0, 0.0};
    glm::dvec3 scale{1.0};
    glm::dquat axes{1.0, 0.0, 0.0, 0.0}; // along which the matrix scales
};

// The axes have no order and no sign: those next to `near` are taken, so that they do not jump over time.
SvdFactors decompose_svd(const glm::dmat3& matrix, const glm::dquat& near);

// Columns that are farther from right angles than rounding brings them.
bool is_sheared(const glm::dmat3& matrix);

} // namespace vitrine::dae
