#pragma once
// Detects elements of a node that cannot be represented as a TRS, at rest or while animated.

#include "loaders/dae/animation/animations.hpp"
#include "loaders/dae/transforms/transforms.hpp"

namespace vitrine::dae {

// Returns true for an animated matrix with shear at rest, at a key, or between keys when curves animate its
// numbers individually, and for a skew whose axes are not, or may not stay, perpendicular.
bool shears(const Element& element, const Animations& animations);

} // namespace vitrine::dae
