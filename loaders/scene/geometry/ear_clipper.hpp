#pragma once
// Triangulation of one planar polygon. Private to loaders/scene.

#include <cstdint>
#include <vector>

#include "loaders/scene/geometry/polygon_ring.hpp"

namespace vitrine::scene {

// Triangulates a counter-clockwise polygon of more than three corners by ear clipping; appends 3 * (n - 2)
// corners. The outline may touch itself in corners and along edges (bridged holes) but must not cross itself.
// A corner is tested once, and again after a neighbor was removed, since only then it can become an ear
// (except for corners on other edges). A grid over the concave corners keeps the cost nearly linear. The
// number of steps (corners, cells and points tested) is limited to 256 + 8 sqrt(n) per corner, and to a
// billion (a few seconds) where this exceeds 256 per corner. Returns false if the limit was reached; the rest
// is then closed as a fan.
bool clip_ears(std::vector<glm::dvec2> points, std::vector<std::uint32_t>& triangle_corners);

} // namespace vitrine::scene
