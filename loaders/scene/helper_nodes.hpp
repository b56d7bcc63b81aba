#pragma once
// Nodes that loaders add (Node::helper_of) where one translation, rotation and scale cannot represent a
// transform of the format; names, joints, tracks and picking results refer to the file's nodes.
// motion/file_nodes.hpp has the transforms of those.

#include <cstdint>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

inline bool is_helper(const Node& node)
{
    return node.helper_of != none;
}

// Returns the file's node that a helper belongs to, or `node` if it is not a helper.
inline std::uint32_t file_node(const Scene& scene, std::uint32_t node)
{
    return is_helper(scene.nodes[node]) ? scene.nodes[node].helper_of : node;
}

} // namespace vitrine::scene
