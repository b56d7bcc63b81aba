#pragma once
// EXT_mesh_gpu_instancing: a mesh drawn many times by one node becomes that many child nodes.

#include "loaders/gltf/document/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

LoadResult<void> add_instances(Document& document, scene::Scene& scene);

} // namespace vitrine::gltf
