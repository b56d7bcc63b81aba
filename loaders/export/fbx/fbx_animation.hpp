#pragma once
// Clips as animation stacks: a curve for each component of what a channel moves.

#include "loaders/export/fbx/fbx_objects.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// Degrees about x, then y, then z.
glm::dvec3 fbx_euler(const glm::quat& rotation);

// `models`: by node. `channels`: by node, of each morph target of its mesh. Animated nodes have no matrix.
void write_fbx_clips(const scene::Scene& scene, const std::vector<std::int64_t>& models,
                     const std::vector<std::vector<std::int64_t>>& channels, FbxObjects& objects);

} // namespace vitrine::exporting
