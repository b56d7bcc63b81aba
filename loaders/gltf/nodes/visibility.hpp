#pragma once
// KHR_node_visibility under KHR_animation_pointer: what is hidden for a while is drawn by a node of its own
// whose scale steps between 1 and 0.

#include <cstdint>
#include <set>
#include <vector>

#include "loaders/gltf/document/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

// When a node and all below it are shown, in one clip.
struct VisibilityKeys {
    std::uint32_t clip = 0; // of the Scene
    std::uint32_t node = 0;
    std::vector<float> times; // ascending, not empty
    std::vector<float> shown; // one a time; 0 is hidden
};

// Nodes whose visibility some animation moves. At rest they are shown.
std::set<std::uint32_t> find_visibility_animated_nodes(Document& document);

// Skinned meshes stay in sight, with a warning: the transforms of their nodes do not count.
LoadResult<void> animate_visibility(Document& document, const std::vector<VisibilityKeys>& keys,
                                    scene::Scene& scene);

} // namespace vitrine::gltf
