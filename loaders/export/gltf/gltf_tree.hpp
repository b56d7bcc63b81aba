#pragma once
// The nodes of a glTF document: those of the scene in their order, then what glTF needs beside them.

#include <cstdint>
#include <string_view>
#include <vector>

#include "loaders/export/gltf/json_writer.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

struct GltfNode {
    std::string_view name; // in the scene
    scene::Trs local;
    std::uint32_t mesh = scene::none; // of the document
    std::uint32_t skin = scene::none;
    std::vector<float> weights;
    std::vector<std::uint32_t> children;
};

class GltfTree {
public:
    // The scene outlives it.
    explicit GltfTree(const scene::Scene& scene);

    // What stands for the scene's node: its mesh, its children and its place as a joint. A skewed matrix
    // takes two nodes, of which this is the inner one.
    GltfNode& node(std::uint32_t scene_node) { return nodes_[inner_[scene_node]]; }
    std::uint32_t index(std::uint32_t scene_node) const { return inner_[scene_node]; }
    // A node that stays where that one is.
    std::uint32_t add_follower(std::uint32_t scene_node);
    // Joints of a skin must have a common root: all roots under one more node where these have several.
    void join(const std::vector<std::uint32_t>& scene_nodes);

    bool empty() const { return nodes_.empty(); }
    // "nodes", "scenes" and "scene".
    void write(JsonWriter& json) const;

private:
    std::vector<GltfNode> nodes_;
    std::vector<std::uint32_t> inner_;   // by scene node
    std::vector<std::uint32_t> root_of_; // by scene node
    std::vector<std::uint32_t> roots_;
    bool joined_ = false;
};

} // namespace vitrine::exporting
