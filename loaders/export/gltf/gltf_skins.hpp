#pragma once
// Writes skins of a glTF document, one per variant that its meshes need.

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

// A skin of the scene for one mesh, or for one node with unskinned vertices.
struct GltfSkin {
    std::uint32_t index = scene::none; // index in the document
    GltfJoints joints;
};

class GltfSkins {
public:
    // Adds follower nodes and roots to the tree and bind matrices to the buffer. All arguments must outlive
    // it.
    GltfSkins(const scene::Scene& scene, GltfTree& tree, GltfBuffer& buffer,
              std::vector<scene::Warning>& warnings)
        : scene_(scene), tree_(tree), buffer_(buffer), warnings_(warnings)
    {
    }

    // Returns null when the node's mesh is not skinned. The pointer stays valid.
    const GltfSkin* find_skin(std::uint32_t node);

    // Adds the skins without a visible mesh: of files with animations only, or of hidden meshes.
    void add_unused();

    // JSON of each skin, by index.
    std::span<const std::string> texts() const { return texts_; }

private:
    // `unskinned_node`: a node that draws vertices without influences, or none.
    GltfSkin add(const scene::Skin& skin, const scene::Mesh& mesh, std::uint32_t unskinned_node);

    const scene::Scene& scene_;
    GltfTree& tree_;
    GltfBuffer& buffer_;
    std::vector<scene::Warning>& warnings_;
    std::map<std::array<std::uint32_t, 3>, GltfSkin>
        skins_; // skin, mesh with corners, node with unskinned vertices
    std::vector<std::string> texts_;
};

} // namespace vitrine::exporting
