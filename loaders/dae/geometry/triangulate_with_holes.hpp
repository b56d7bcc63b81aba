#pragma once
// Polygons with holes.

#include <cstdint>
#include <span>
#include <vector>

#include <glm/glm.hpp>

namespace vitrine::dae {

// Triangles between an outline and its holes, as indices into `points`, which hold the outline's corners
// first and then each hole's (`hole_starts`, ascending); appended, turned as the outline is. Outlines may run
// either way and may touch; corners at one place count as one. False, and nothing appended, where they cross
// or the outline is no polygon. A plane sweep: n log n.
bool triangulate_with_holes(std::span<const glm::vec3> points, std::span<const std::uint32_t> hole_starts,
                            std::vector<std::uint32_t>& triangles);

} // namespace vitrine::dae
