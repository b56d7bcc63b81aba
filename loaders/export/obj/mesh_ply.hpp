#pragma once
// Writes a baked mesh as PLY, binary little-endian: vertex (x y z nx ny nz [s t]), face (vertex_indices), and
// edge when the mesh has lines. s and t have their origin bottom left.

#include <string>

#include "loaders/export/obj/baked_mesh.hpp"

namespace vitrine {

void write_mesh_ply(const BakedMesh& mesh, const MeshSink& sink);
std::string write_mesh_ply(const BakedMesh& mesh); // in one piece

} // namespace vitrine
