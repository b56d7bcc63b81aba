#pragma once
// Writes meshes of a glTF document: attributes, influence sets, morph targets, primitives.

#include <cstdint>
#include <optional>
#include <string>
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
    // What a primitive says of its vertices, as JSON.
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
    const scene::Mesh& mesh_;
    GltfBuffer& buffer_;
    bool empty_ = false;
    FrameTargets frames_;
    Accessors attributes_;
    std::vector<std::optional<std::uint32_t>> indices_; // by primitive; nullopt: draws nothing
    std::vector<Accessors> targets_;
};

} // namespace vitrine::exporting
