#pragma once
// Flat meshes: meshes of triangles without normals, each of which is shaded with its own. A loader may leave
// them flat, with shared vertices, if they have no skin weights, morph targets, vertex frames or tangents;
// then they pass from the loader process with a fraction of the vertices. Renderer and export need vertices
// with normals: expand_flat_meshes() makes them, one per corner.

#include <cstdint>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

inline bool is_flat(const Mesh& mesh)
{
    return mesh.normals.empty() && !mesh.positions.empty();
}

// Number of vertices after expansion, which is positions.size() of other meshes.
std::uint64_t shaded_vertices(const Mesh& mesh);

// Whether the mesh has nothing that only vertices with normals may have; the precondition of expansion, with
// indices in range.
bool may_be_flat(const Mesh& mesh);

// Gives each triangle of flat meshes vertices of its own with its normal (0, 1, 0 if it has no area), in the
// order of primitives; unused vertices are dropped.
void expand_flat_meshes(Scene& scene);

} // namespace vitrine::scene
