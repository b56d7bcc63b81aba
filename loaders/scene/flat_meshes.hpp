#pragma once
// Flat meshes: meshes of triangles without normals, each of which is shaded with its own. A loader may leave
// them flat, with shared vertices, if they have no skin weights, morph targets, vertex frames or tangents:
// that is a sixth of the vertices of a closed surface. The renderer draws them as they are. Exports need
// vertices with normals, one per corner: the functions below make them.

#include <cstdint>
#include <optional>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

inline bool is_flat(const Mesh& mesh)
{
    return mesh.normals.empty() && !mesh.positions.empty();
}

// The unit normal of a triangle with counter-clockwise corners; 0, 1, 0 if it has no area.
glm::vec3 flat_normal(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c);

// Number of vertices after expansion, which is positions.size() of other meshes.
std::uint64_t shaded_vertices(const Mesh& mesh);

// Whether the mesh has nothing that only vertices with normals may have; the precondition of expansion, with
// indices in range.
bool may_be_flat(const Mesh& mesh);

// Gives each triangle of a flat mesh vertices of its own with its flat_normal(), in the order of primitives;
// unused vertices are dropped.
Mesh expanded(const Mesh& flat);

// Expands all flat meshes.
void expand_flat_meshes(Scene& scene);

// Returns a copy of the scene with expanded meshes; empty if it has no flat mesh.
std::optional<Scene> with_normals(const Scene& scene);

} // namespace vitrine::scene
