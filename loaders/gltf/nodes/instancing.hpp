#pragma once
// EXT_mesh_gpu_instancing: each instance of a mesh becomes a child node.

#include "loaders/gltf/document/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

LoadResult<void> add_instances(Document& document, scene::Scene& scene);

} // namespace vitrine::gltf
