#pragma once
// Detects meshes whose back faces are never visible. Pure functions.

#include "loaders/scene/scene.hpp"

namespace vitrine::render {

// Returns whether the mesh's triangles bound solid bodies: every edge is used equally often in both
// directions, also across seams, and each connected body has outward normals in the bind pose. A ray from
// outside then hits a front face before a back face, so culling back faces does not change the image, except
// that in a pose that turns a body inside out a deeper front face replaces the back face. Coincident points
// count as one if they deform alike. Linear in the number of vertices except for one sort.
bool is_closed(const scene::Mesh& mesh);

} // namespace vitrine::render
