#pragma once
// The nodes of a scene as its file has them. Loaders add helpers where one translation, rotation and scale
// cannot say what a format means (Node::helper_of); names, joints, tracks and what is pointed at are those of
// the file's nodes.
//
// The helpers right above a file's node that belong to it hold the upper part of its transform.

#include <cstdint>
#include <vector>

#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// All expect a validated scene.

inline bool is_helper(const Node& node)
{
    return node.helper_of != none;
}

// The node of the file that a node is a part of; itself where it is no helper.
inline std::uint32_t file_node(const Scene& scene, std::uint32_t node)
{
    return is_helper(scene.nodes[node]) ? scene.nodes[node].helper_of : node;
}

// By node: the node of the file that it stands below, always one before it, or none.
std::vector<std::uint32_t> file_parents(const Scene& scene);
void file_parents(const Scene& scene, std::vector<std::uint32_t>& parents); // reuses its memory

// A node's own transform relative to its parent in the file, at rest (pose: null) or in a pose: its own and
// those of its helpers right above. What a parent does not pass on (scale, in FBX) is not in it. The parts of
// a matrix that T * R * S cannot say are the nearest.
glm::mat4 file_local_matrix(const Scene& scene, const Pose* pose, std::uint32_t node);
Trs file_local(const Scene& scene, const Pose* pose, std::uint32_t node);

// Whether a node only scales, below a helper of its own that has its translation and rotation.
bool is_split_scale(const Scene& scene, std::uint32_t node);

// The node of the file that a channel moves; none where a helper is moved that only makes up for something
// (a copy, an inverse, what comes and goes).
std::uint32_t channel_node(const Scene& scene, const Channel& channel);

} // namespace vitrine::scene
