#pragma once
// Triangulation of polygons with holes.

#include <cstdint>
#include <span>
#include <vector>

#include <glm/glm.hpp>

namespace vitrine::dae {

// Appends the triangles between an outline and its holes, as indices into `points`, which contains the
// outline's corners, then each hole's (`hole_starts`, ascending). Triangles have the orientation of the
// outline. Outlines may have either orientation and may touch; coincident corners count as one. Returns
// false, appending nothing, when outlines intersect or the outline is degenerate. A plane sweep, O(n log n).
bool triangulate_with_holes(std::span<const glm::vec3> points, std::span<const std::uint32_t> hole_starts,
                            std::vector<std::uint32_t>& triangles);

} // namespace vitrine::dae
