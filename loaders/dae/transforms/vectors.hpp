#pragma once
// Directions and rotations from the numbers of transforms. Private to loaders/dae.

#include <numbers>

#include <glm/gtc/quaternion.hpp>

#include "loaders/base/unit_vector.hpp"
#include "loaders/dae/transforms/transforms.hpp"

namespace vitrine::dae {

inline constexpr double degree = std::numbers::pi / 180.0;

inline glm::dvec3 vec3(const TransformValues& v, std::size_t first)
{
    return {v[first], v[first + 1], v[first + 2]};
}

inline glm::dquat turn(const glm::dvec3& axis, double angle)
{
    const double length = glm::length(axis);
    if (!(length > 0.0)) return {1.0, 0.0, 0.0, 0.0};
    return glm::angleAxis(angle, axis / length);
}

} // namespace vitrine::dae
