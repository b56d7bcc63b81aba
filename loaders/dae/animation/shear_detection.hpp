#pragma once
// Which elements of a node no T R S can say, at rest or while they move.

#include "loaders/dae/animation/animations.hpp"
#include "loaders/dae/transforms/transforms.hpp"

namespace vitrine::dae {

// A matrix that moves and is sheared at rest or at some key, and between the keys too where curves move its
// numbers one by one; a skew whose axes are not at right angles, or may not stay so.
bool shears(const Element& element, const Animations& animations);

} // namespace vitrine::dae
