#pragma once
// <skew>: an angle, an axis of rotation and an axis of translation, seven numbers.

#include "loaders/dae/transforms/transforms.hpp"

namespace vitrine::dae {

glm::dmat4 shear_element_matrix(const Values& v);

// Whether the axes are not at right angles.
bool is_oblique(const Values& v);

// In its plane a shear along axes at right angles is a turn (part 0), a scale (1) and a turn (2).
// Precondition: the axes are not oblique.
DoubleTrs shear_element_part(const Values& v, std::uint8_t part);

} // namespace vitrine::dae
