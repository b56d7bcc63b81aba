#pragma once
// Triangles that a mesh has twice, once for each side. Pure.

#include <cstdint>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::render {

// Where in mesh.indices the triangles begin that have a twin: one with the same corners that turns the other
// way, of whatever primitive; and where most of the mesh is there for both sides, the halves of quads of
// which both are there, cut along different diagonals (sought among a million triangles without a twin at
// most). Ascending. Modellers who paint both sides of a face (SketchUp) write it so. From either side one of
// the two shows its front, which is meant to be seen; the other's back, as near, is not. Precondition:
// validated, so that primitives share no indices.
std::vector<std::uint32_t> back_to_back_triangles(const scene::Mesh& mesh);

// Whether any of its backs is drawn, so that it matters which triangles are back_to_back.
bool shows_backs(const scene::Scene& scene, const scene::Mesh& mesh);

} // namespace vitrine::render
