#pragma once

// The shape of a mesh in a pose before skinning: vertex frames replace the positions, then morph targets with
// a weight move them. Positions are in mesh space, in the units of the Scene. All functions are safe to call
// from any thread; `out` is overwritten.

#include <vector>

#include "loaders/scene/skinning/skinning.hpp"

namespace vitrine::scene {

// Whether the shape differs from the positions of the mesh.
bool is_shaped(const Mesh& mesh, const Instance& instance, const Pose& pose);

void shape_positions(const Mesh& mesh, const Instance& instance, const Pose& pose,
                     std::vector<glm::vec3>& out);

// Positions, normals and tangents.
void shape_vertices(const Mesh& mesh, const Instance& instance, const Pose& pose, SkinnedMesh& out);

} // namespace vitrine::scene
