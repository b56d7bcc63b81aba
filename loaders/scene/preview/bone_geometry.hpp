#pragma once
// What a rig without a mesh is shown as. Pure.

#include <optional>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Whether nothing of the scene is drawn (draws_anything()) and its nodes make a skeleton that has an extent.
bool is_skeleton_only(const Scene& scene);

// The scene with a body for each bone: a slim octahedron from every joint to each of its children, in the
// joint's node, which it follows; a small one at a chain's end. Joints are those of find_skeleton_joints(),
// or all nodes where those make no bone. Empty where it is no bare rig.
std::optional<Scene> with_bone_geometry(const Scene& scene);

// The nodes that make up the skeleton: those that skins list; without skins every node that is animated or
// has animated descendants. Into `joints`, by node; allocates only where `joints` is smaller than the scene.
void find_skeleton_joints(const Scene& scene, std::vector<bool>& joints);

} // namespace vitrine::scene
