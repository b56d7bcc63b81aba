#pragma once
// Nodes without any track, as some programs write them: placed where their mesh is stored.

#include <span>

#include <glm/glm.hpp>

#include "loaders/scene/scene.hpp"

namespace vitrine::threeds {

struct StaticNode {
    std::uint32_t node = 0;
    glm::dmat4 model{1.0}; // node to world
};

// Sets the local transform of each below its parent, which may be a static node too, in any order; a matrix
// when it is not a TRS. A node whose parent has zero scale stays unchanged. Preconditions: parents are in the
// scene and form no cycles. Linear time.
void place_static_nodes(std::span<const StaticNode> static_nodes, scene::Scene& scene);

} // namespace vitrine::threeds
