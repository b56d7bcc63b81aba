#pragma once
// Finds triangles that a mesh contains twice, once per side. Pure functions.

#include <cstdint>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::render {

// Returns the positions in mesh.indices of triangles that have a twin: a triangle with the same corners and
// opposite winding, in any primitive. If most of the mesh is two-sided in this way, also returns the halves
// of quads whose two sides are split along different diagonals (searched among at most about a million
// triangles without a twin). Ascending. Modelers that paint both sides of a face (SketchUp) write such
// meshes. From either side one triangle shows its front, which is intended; the coincident back face of the
// other must not be drawn. Precondition: validated, so that primitives share no indices.
std::vector<std::uint32_t> back_to_back_triangles(const scene::Mesh& mesh);

// Whether any back face of the mesh is drawn, so that back-to-back triangles matter.
bool shows_backs(const scene::Scene& scene, const scene::Mesh& mesh);

} // namespace vitrine::render
