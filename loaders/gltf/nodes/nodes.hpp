#pragma once
// Nodes, scenes and skins.

#include <cstdint>
#include <span>
#include <vector>

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

// MSFT_lod: a node, the most detailed level, and the nodes that are drawn in its place, in this order. Parts
// of load_nodes().
struct NodeLevels {
    std::uint32_t node = 0;
    std::vector<std::uint32_t> others;
};
std::vector<NodeLevels> find_node_levels(Document& document);
// Makes levels that are in no scene siblings of their first one. `shown_roots`: by node.
void place_levels(std::span<const NodeLevels> all, scene::Scene& scene, std::vector<bool>& shown_roots);
// Sets the levels of these nodes; scene::inherit_levels() completes them once the nodes are sorted.
void set_levels(std::span<const NodeLevels> all, scene::Scene& scene);

} // namespace vitrine::gltf
