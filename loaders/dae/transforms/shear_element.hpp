#pragma once
// <skew>: an angle, a rotation axis and a translation axis; seven numbers.

#include "loaders/dae/transforms/transforms.hpp"

namespace vitrine::dae {

glm::dmat4 shear_element_matrix(const TransformValues& v);

// Returns whether the axes are not perpendicular.
bool is_oblique(const TransformValues& v);

// A shear along perpendicular axes is, in its plane, a rotation (part 0), a scale (1) and a rotation (2).
// Precondition: the axes are not oblique.
DoubleTrs shear_element_part(const TransformValues& v, std::uint8_t part);

} // namespace vitrine::dae
