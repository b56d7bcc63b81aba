#pragma once
// Writes clips as animation stacks: one curve per component of an animated property.

#include "loaders/export/fbx/fbx_objects.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// Returns degrees about x, then y, then z.
glm::dvec3 fbx_euler(const glm::quat& rotation);

// `models`: by node. `channels`: by node, for each morph target of its mesh. Precondition: animated nodes
// have no matrix.
void write_fbx_clips(const scene::Scene& scene, const std::vector<std::int64_t>& models,
                     const std::vector<std::vector<std::int64_t>>& channels, FbxObjects& objects);

} // namespace vitrine::exporting
