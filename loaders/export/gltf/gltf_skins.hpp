#pragma once
// Skins of a glTF document, each as the meshes that it draws need it.

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "loaders/export/gltf/gltf_buffer.hpp"
#include "loaders/export/gltf/gltf_joints.hpp"
#include "loaders/export/gltf/gltf_tree.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// A skin of the scene as one mesh, or one node with loose vertices, needs it.
struct GltfSkin {
    std::uint32_t index = scene::none; // of the document
    GltfJoints joints;
};

class GltfSkins {
public:
    // Adds followers and roots to the tree, bind matrices to the buffer. All must outlive it.
    GltfSkins(const scene::Scene& scene, GltfTree& tree, GltfBuffer& buffer,
              std::vector<scene::Warning>& warnings)
        : scene_(scene), tree_(tree), buffer_(buffer), warnings_(warnings)
    {
    }

    // Null where nothing of the node's mesh is skinned. Stays where it is.
    const GltfSkin* skin_of(std::uint32_t node);

    // The skins that no mesh has shown: of a file of animations alone, or of meshes that are hidden.
    void add_unused();

    // Each skin's JSON, by index.
    std::span<const std::string> texts() const { return texts_; }

private:
    // `unskinned_node`: draws vertices without influences, or none.
    GltfSkin add(const scene::Skin& skin, const scene::Mesh& mesh, std::uint32_t unskinned_node);

    const scene::Scene& scene_;
    GltfTree& tree_;
    GltfBuffer& buffer_;
    std::vector<scene::Warning>& warnings_;
    std::map<std::array<std::uint32_t, 3>, GltfSkin> skins_; // skin, mesh with corners, loose node
    std::vector<std::string> texts_;
};

} // namespace vitrine::exporting
