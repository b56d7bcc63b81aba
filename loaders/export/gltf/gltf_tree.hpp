#pragma once
// The nodes of a glTF document: those of the scene in order, then additional ones that glTF needs.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "loaders/export/gltf/json_writer.hpp"
#include "loaders/scene/scene.hpp"
#include "loaders/scene/vrm_facts.hpp"

namespace vitrine::exporting {

struct GltfNode {
    std::string_view name; // in the scene
    scene::Trs local;
    std::uint32_t mesh = scene::none; // index in the document
    std::uint32_t skin = scene::none;
    std::vector<float> weights;
    std::vector<std::uint32_t> children;
};

class GltfTree {
public:
    // The scene must outlive it.
    explicit GltfTree(const scene::Scene& scene);

    // Returns the node that represents the scene's node: its mesh, children and joint. A matrix with shear is
    // written as two nodes, of which this is the inner one.
    GltfNode& node(std::uint32_t scene_node) { return nodes_[inner_[scene_node]]; }
    std::uint32_t index(std::uint32_t scene_node) const { return inner_[scene_node]; }
    // Adds a child node without a transform of its own.
    std::uint32_t add_follower(std::uint32_t scene_node);
    // Gives the joints of a skin a common root, as glTF requires: moves all roots below a new node when there
    // are several.
    void join(const std::vector<std::uint32_t>& scene_nodes);

    bool empty() const { return nodes_.empty(); }
    // Writes "nodes", "scenes" and "scene".
    void write(JsonWriter& json) const;

private:
    std::vector<GltfNode> nodes_;
    std::vector<std::uint32_t> inner_;   // by scene node
    std::vector<std::uint32_t> root_of_; // by scene node
    std::vector<std::uint32_t> roots_;
    bool joined_ = false;
};

// The extension of a whole VRM 0.x, VRM 1.0 or VRMA file.
std::string_view vrm_extension(scene::VrmKind kind);
// Writes the member "asset" of the root, with what the scene's file declares about its origin as
// loaders/gltf/document/attribution.cpp reads it.
void write_asset(const scene::Attribution& attribution, JsonWriter& json);
// Writes the "extensions" of the root, if there are any: VRM, material variants. The meshes of the tree's
// nodes are known.
void write_root_extensions(const scene::Scene& scene, std::optional<scene::VrmKind> vrm, GltfTree& tree,
                           JsonWriter& json);
// VRM 0.x faces -Z.
scene::Scene turned_by_half(const scene::Scene& scene);

} // namespace vitrine::exporting
