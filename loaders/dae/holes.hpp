#pragma once
// Polygons with holes: one outline out of several.

#include <cstdint>
#include <span>
#include <vector>

#include <glm/glm.hpp>

namespace vitrine::dae {

// An outline that runs around the outer one and, over bridges walked twice, around each hole the other way;
// as indices into `points`, which hold the outer outline's corners first and then each hole's
// (`hole_starts`, ascending). Ear clipping takes it from there. Empty where the outer outline is no polygon.
std::vector<std::uint32_t> join_holes(std::span<const glm::vec3> points,
                                      std::span<const std::uint32_t> hole_starts);

} // namespace vitrine::dae
