#pragma once
// The signed area of a triangle in the plane.

#include <glm/glm.hpp>

namespace vitrine {

// Returns twice the signed area; positive if the corners are counter-clockwise. Its sign is exact for
// coordinates that were floats of similar size.
inline double doubled_signed_area(const glm::dvec2& a, const glm::dvec2& b, const glm::dvec2& c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

} // namespace vitrine
