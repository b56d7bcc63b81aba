#pragma once
// Triangles of one plane polygon. Private to loaders/scene.

#include <cstdint>
#include <vector>

#include <glm/glm.hpp>

namespace vitrine::scene {

// Twice the signed area, counter-clockwise positive.
inline double signed_area(const glm::dvec2& a, const glm::dvec2& b, const glm::dvec2& c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Ear clipping of a counter-clockwise polygon of more than three corners; appends 3 * (n - 2) corners. A grid
// over the concave corners keeps the usual cost near linear. The cost is bounded by 256 steps a corner
// (corners, cells and points looked at), far more than outlines that do not cross themselves were seen to
// need; what is left of a polygon when its steps end (noise of thousands of corners) is closed as a fan.
void clip_ears(std::vector<glm::dvec2> points, std::vector<std::uint32_t>& triangle_corners);

} // namespace vitrine::scene
