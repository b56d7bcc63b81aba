#pragma once
// Nodes, scenes and skins.

#include "loaders/gltf/document/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

// Fills scene.nodes with the indices of the file (followed by instances of EXT_mesh_gpu_instancing); parents
// are not yet sorted. Nodes outside the shown scene are added but invisible. Precondition: meshes are loaded.
LoadResult<void> load_nodes(Document& document, scene::Scene& scene);

// Precondition: nodes are loaded. Removes influences from meshes that no skin fits.
LoadResult<void> load_skins(Document& document, scene::Scene& scene);

// EXT_mesh_gpu_instancing: each instance of a mesh becomes a child node. Part of load_nodes().
LoadResult<void> add_instances(Document& document, scene::Scene& scene);

} // namespace vitrine::gltf
