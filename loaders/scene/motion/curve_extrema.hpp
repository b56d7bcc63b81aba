#pragma once
// Where a cubic curve turns between its keys. Pure.

#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Seconds, in no order: between two keys of a cubic channel each time at which one of its components has a
// slope of 0. A component is largest and least at these and at the keys.
std::vector<double> find_extrema(const Channel& channel);

} // namespace vitrine::scene
