#pragma once
// Finds the extrema of cubic curves between their keys. Pure functions.

#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Times in seconds, unordered: each time between two keys of a cubic channel at which a component has slope
// 0. The extrema of a component are at these times and at the keys.
std::vector<double> find_extrema(const Channel& channel);

} // namespace vitrine::scene
