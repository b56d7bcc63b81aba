#pragma once
// Normalization of vectors in double precision, where the squares of floats neither overflow nor underflow.

#include <cmath>

#include <glm/glm.hpp>

namespace vitrine {

// Returns `v` with length 1, or `fallback` if its length is zero or not finite.
inline glm::dvec3 unit_or(const glm::dvec3& v, const glm::dvec3& fallback)
{
    const double length = glm::length(v);
    return length > 0.0 && std::isfinite(length) ? v / length : fallback;
}
inline glm::vec3 unit_or(const glm::vec3& v, const glm::vec3& fallback)
{
    const double length = glm::length(glm::dvec3(v));
    return length > 0.0 && std::isfinite(length) ? glm::vec3(glm::dvec3(v) / length) : fallback;
}

// Returns `v` with length 1, or (0, 1, 0) for a normal without a direction.
inline glm::vec3 unit_or_up(const glm::vec3& v)
{
    return unit_or(v, {0.0f, 1.0f, 0.0f});
}

} // namespace vitrine
