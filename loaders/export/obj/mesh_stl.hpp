#pragma once
// Writes a baked mesh as binary STL, in millimeters, Z up; without normals of vertices, colors and texture
// coordinates, which the format does not have.

#include <string>

#include "loaders/export/obj/baked_mesh.hpp"

namespace vitrine {

// Precondition: the mesh is in scene space.
std::string write_mesh_stl(const BakedMesh& mesh);

} // namespace vitrine
