#pragma once
// Writes meshes of a glTF document: attributes, influence sets, morph targets, primitives.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "loaders/export/gltf/gltf_buffer.hpp"
#include "loaders/export/gltf/gltf_frames.hpp"
#include "loaders/export/gltf/gltf_joints.hpp"
#include "loaders/export/gltf/gltf_materials.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// One mesh, written once per InfluenceLayout of its skins; shared data is in the buffer once.
class GltfMesh {
public:
    GltfMesh(const scene::Scene& scene, std::uint32_t mesh, GltfBuffer& buffer);

    // Returns whether the mesh has no primitives; glTF does not allow such a mesh.
    bool empty() const { return empty_; }
    // Returns the mesh as a JSON object. joints null: without a skin. `color`: of the nodes that draw it.
    // Error: limit_exceeded.
    LoadResult<std::string> write(const GltfJoints* joints, const glm::vec4& color,
                                  GltfMaterialTable& materials, InfluenceLosses& losses);

    // Targets: first those of the vertex frames, then the mesh's own.
    const FrameTargets& frames() const { return frames_; }
    std::size_t target_count() const { return frames_.frame.size() + mesh_.morph_targets.size(); }

private:
    using Accessors = std::vector<std::pair<std::string, std::uint32_t>>; // by attribute

    void write_streams();
    void write_uvs();
    void write_tangents(std::span<const glm::vec3> normals);
    void write_targets();
    Accessors write_frame_target(std::uint32_t frame);
    Accessors write_morph_target(const scene::MorphTarget& target);
    // The members of a primitive that refer to its vertices, as JSON.
    struct VertexTexts {
        std::string attributes, targets;
        std::size_t size() const { return attributes.size() + targets.size(); }
    };
    VertexTexts vertex_texts(const std::string& influences, bool has_normals) const;
    LoadResult<std::string> influence_sets(const GltfJoints& joints, InfluenceLosses& losses);
    void write_primitive(std::size_t number, const VertexTexts& vertices, std::uint32_t material,
                         JsonWriter& json) const;
    std::uint32_t uv_sets() const;

    const scene::Scene& scene_;
    std::optional<scene::Mesh> expanded_; // of a flat mesh
    const scene::Mesh& mesh_;
    GltfBuffer& buffer_;
    bool empty_ = false;
    FrameTargets frames_;
    Accessors attributes_;
    std::vector<std::optional<std::uint32_t>> indices_; // by primitive; nullopt: draws nothing
    std::vector<Accessors> targets_;
};

// The meshes of a document. All references must outlive it.
class GltfMeshTable {
public:
    GltfMeshTable(const scene::Scene& scene, GltfBuffer& buffer, GltfMaterialTable& materials,
                  std::vector<scene::Warning>& warnings);

    // Returns whether the scene's mesh has no primitives.
    bool is_empty(std::uint32_t mesh) { return mesh_of(mesh).empty(); }
    // Writes the scene's mesh unless it is written already for these joints and color. Returns its index in
    // the document. Error: limit_exceeded.
    LoadResult<std::uint32_t> write(std::uint32_t mesh, const GltfJoints* joints, const glm::vec4& color);

    // By scene mesh; empty for meshes that are not drawn.
    const std::vector<FrameTargets>& frames() const { return frames_; }
    // JSON of each mesh, by index in the document.
    std::span<const std::string> texts() const { return texts_; }
    std::size_t text_bytes() const { return text_bytes_; }

private:
    GltfMesh& mesh_of(std::uint32_t mesh);
    void warn_about_losses(const InfluenceLosses& losses, std::uint32_t mesh);

    const scene::Scene& scene_;
    GltfBuffer& buffer_;
    GltfMaterialTable& materials_;
    std::vector<scene::Warning>& warnings_;
    std::vector<std::unique_ptr<GltfMesh>> meshes_; // by scene mesh; created when it is first drawn
    std::vector<FrameTargets> frames_;
    // By scene mesh, with a skin its influence layout, and the color of the node that draws it.
    std::map<std::tuple<std::uint32_t, std::optional<InfluenceLayout>, std::array<float, 4>>, std::uint32_t>
        written_;
    std::vector<std::string> texts_;
    std::size_t text_bytes_ = 0;
};

} // namespace vitrine::exporting
