#pragma once
// Nodes, scenes and skins.

#include "loaders/gltf/document/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

// Fills scene.nodes with the indices of the file (instances of EXT_mesh_gpu_instancing behind them), parents
// not yet sorted. Nodes outside the shown scene are there but invisible. Needs the meshes.
LoadResult<void> load_nodes(Document& document, scene::Scene& scene);

// Needs the nodes. Takes influences out of meshes that no skin can serve.
LoadResult<void> load_skins(Document& document, scene::Scene& scene);

} // namespace vitrine::gltf
