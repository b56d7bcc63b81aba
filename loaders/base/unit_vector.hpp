#pragma once
// Directions of vectors of single precision, whose squares neither overflow nor vanish in double.

#include <cmath>

#include <glm/glm.hpp>

namespace vitrine::scene {

// `v` with length 1; `otherwise` where it has no direction or is not finite.
inline glm::vec3 unit_or(const glm::vec3& v, const glm::vec3& fallback)
{
    const double length = glm::length(glm::dvec3(v));
    return length > 0.0 && std::isfinite(length) ? glm::vec3(glm::dvec3(v) / length) : fallback;
}

// What a normal without a direction is taken for.
inline glm::vec3 unit_or_up(const glm::vec3& v)
{
    return unit_or(v, {0.0f, 1.0f, 0.0f});
}

} // namespace vitrine::scene
