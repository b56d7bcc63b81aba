#pragma once
// Generates display geometry for skeletons without a mesh. Pure functions.

#include <cstdint>
#include <optional>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Whether the scene draws nothing (draws_anything()) and has joints, or nodes that form bones.
bool is_skeleton_only(const Scene& scene);

// Returns the scene with a mesh for each bone: a slim octahedron from every joint to each of its children,
// attached to the joint's node; a small one at the end of a chain, and at the root of joints
// without a bone. Uses the joints of mark_skeleton_joints(), or all nodes if only those form bones. Empty
// if the scene is not a skeleton without a mesh.
std::optional<Scene> with_bone_geometry(const Scene& scene);

// Marks the skeleton's nodes: the joints of all skins; without skins, every node that is animated or has
// animated descendants. Writes to `joints`, by node; allocates only if `joints` is smaller than the scene.
void mark_skeleton_joints(const Scene& scene, std::vector<bool>& joints);
// The same nodes, in order.
std::vector<std::uint32_t> skeleton_joints(const Scene& scene);

} // namespace vitrine::scene
