#pragma once
// Writes a baked mesh as a file of one format.

#include <string>

#include "loaders/export/obj/baked_mesh.hpp"

namespace vitrine {

// As Wavefront OBJ: one object per part; v, vt (origin bottom left), vn; f, l, p. Numbers are the shortest
// that read back to the same float. Equal positions (with their colors), texture coordinates and normals are
// written once: vertices that a mesh has split for normals or texture coordinates are joined again.
void write_mesh_obj(const BakedMesh& mesh, const MeshSink& sink);
std::string write_mesh_obj(const BakedMesh& mesh); // in one piece

// As PLY, binary little-endian: vertex (x y z nx ny nz [s t]), face (vertex_indices), and edge when the mesh
// has lines. s and t have their origin bottom left.
void write_mesh_ply(const BakedMesh& mesh, const MeshSink& sink);
std::string write_mesh_ply(const BakedMesh& mesh); // in one piece

// As binary STL, in millimeters, Z up; without normals of vertices, colors and texture coordinates, which the
// format does not have. Precondition: the mesh is in scene space.
std::string write_mesh_stl(const BakedMesh& mesh);

} // namespace vitrine
