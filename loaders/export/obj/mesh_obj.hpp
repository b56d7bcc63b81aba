#pragma once
// Writes a baked mesh as Wavefront OBJ: one object per part; v, vt (origin bottom left), vn; f, l, p. Numbers
// are the shortest that read back to the same float. Equal positions (with their colors), texture coordinates
// and normals are written once: vertices that a mesh has split for normals or texture coordinates are joined
// again.

#include <string>

#include "loaders/export/obj/baked_mesh.hpp"

namespace vitrine {

void write_mesh_obj(const BakedMesh& mesh, const MeshSink& sink);
std::string write_mesh_obj(const BakedMesh& mesh); // in one piece

} // namespace vitrine
