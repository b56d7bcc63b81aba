#pragma once
// Transforms of the nodes of a scene as its file defines them, without helpers (helper_nodes.hpp).
//
// The helpers directly above a file's node that belong to it hold the outer part of its transform.

#include <cstdint>
#include <vector>

#include "loaders/scene/helper_nodes.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// All functions require a validated scene.

// Returns, by node, the index of its parent among the file's nodes, which always precedes it, or none.
std::vector<std::uint32_t> file_parents(const Scene& scene);
void file_parents(const Scene& scene, std::vector<std::uint32_t>& parents); // reuses the memory

// Returns a node's transform relative to its parent in the file, in the static pose (`pose` is null) or in a
// pose: the product of its own transform and those of its helpers directly above it. Properties that a parent
// does not pass on (scale, in FBX) are not included. file_local() returns the nearest T * R * S for a matrix
// that has no exact one.
glm::mat4 file_local_matrix(const Scene& scene, const Pose* pose, std::uint32_t node);
Trs file_local(const Scene& scene, const Pose* pose, std::uint32_t node);

// Whether a node has only a scale, and its own helper above it has its translation and rotation.
bool is_split_scale(const Scene& scene, std::uint32_t node);

// Returns the file's node that a channel animates; none if the channel animates a helper that only
// compensates for something (a copy, an inverse, visibility).
std::uint32_t channel_node(const Scene& scene, const Channel& channel);

} // namespace vitrine::scene
