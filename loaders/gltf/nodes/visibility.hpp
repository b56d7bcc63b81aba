#pragma once
// KHR_node_visibility animated by KHR_animation_pointer: content that is hidden temporarily moves to a
// separate node whose scale steps between 1 and 0.

#include <cstdint>
#include <set>
#include <vector>

#include "loaders/gltf/document/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

// The visibility of a node and its descendants in one clip.
struct VisibilityKeys {
    std::uint32_t clip = 0; // index into Scene::clips
    std::uint32_t node = 0;
    scene::Array<float> times; // ascending, not empty
    scene::Array<float> shown; // one per time; 0 is hidden
};

// Returns the nodes whose visibility is animated. They are visible in the static pose.
std::set<std::uint32_t> find_visibility_animated_nodes(Document& document);

// Skinned meshes stay visible, with a warning, because their nodes' transforms have no effect.
LoadResult<void> animate_visibility(Document& document, const std::vector<VisibilityKeys>& keys,
                                    scene::Scene& scene);

} // namespace vitrine::gltf
