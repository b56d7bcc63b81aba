#pragma once
// Triangles of one plane polygon. Private to loaders/scene.

#include <cstdint>
#include <vector>

#include "loaders/scene/geometry/polygon_ring.hpp"

namespace vitrine::scene {

// Ear clipping of a counter-clockwise polygon of more than three corners; appends 3 * (n - 2) corners. The
// outline may meet itself in corners and along edges (bridged holes), not cross itself. A corner is looked
// at once, and again when a neighbour was cut off: only then it can have become an ear (but for corners that
// lie on others' edges). A grid over the concave corners keeps the cost of looking near linear. It is
// bounded by 256 + 8 sqrt(n) steps a corner, and a billion (a few seconds) where that is more than 256:
// corners, cells and points looked at. False: the steps ended, and what was left was closed as a fan.
bool clip_ears(std::vector<glm::dvec2> points, std::vector<std::uint32_t>& triangle_corners);

} // namespace vitrine::scene
