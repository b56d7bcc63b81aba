#pragma once
// The extensions of the whole document: material variants; VRM 0.x, VRM 1.0 and VRMA.

#include <optional>
#include <string_view>

#include "loaders/export/gltf/gltf_tree.hpp"
#include "loaders/export/gltf/json_writer.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

std::string_view vrm_extension(scene::VrmKind kind);
// Writes "extensions", if there are any. The meshes of the tree's nodes are known.
void write_root_extensions(const scene::Scene& scene, std::optional<scene::VrmKind> vrm, GltfTree& tree,
                           JsonWriter& json);
// VRM 0.x faces -Z.
scene::Scene turned_by_half(const scene::Scene& scene);

} // namespace vitrine::exporting
