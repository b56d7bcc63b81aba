#pragma once
// Nodes without any track, as some programs write them: they stand where their mesh is stored.

#include <span>

#include <glm/glm.hpp>

#include "loaders/scene/scene.hpp"

namespace vitrine::threeds {

struct StaticNode {
    std::uint32_t node = 0;
    glm::dmat4 model{1.0}; // from the node to the world
};

// Gives each its place below its parent, which may be a still one too, in any order; a matrix where T R S
// cannot say it. One whose parent is scaled to nothing stays as it is. Parents must be in the scene, and form
// no circles. Linear.
void place_static_nodes(std::span<const StaticNode> static_nodes, scene::Scene& scene);

} // namespace vitrine::threeds
