#pragma once
// Writes meshes of a glTF document: attributes, influence sets, morph targets, primitives.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "loaders/export/gltf/gltf_buffer.hpp"
#include "loaders/export/gltf/gltf_frames.hpp"
#include "loaders/export/gltf/gltf_joints.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// One mesh, written once per InfluenceLayout of its skins; shared data is in the buffer once.
class GltfMesh {
public:
    GltfMesh(const scene::Scene& scene, std::uint32_t mesh, GltfBuffer& buffer);

    // Returns whether the mesh has no primitives; glTF does not allow such a mesh.
    bool empty() const { return empty_; }
    // Returns the mesh as a JSON object. joints null: without a skin. Error: limit_exceeded.
    LoadResult<std::string> write(const GltfJoints* joints, InfluenceLosses& losses);

    // Targets: first those of the vertex frames, then the mesh's own.
    const FrameTargets& frames() const { return frames_; }
    std::size_t target_count() const { return frames_.frame.size() + mesh_.morph_targets.size(); }

private:
    void write_streams();
    void write_uvs();
    void write_tangents(std::span<const glm::vec3> normals);
    void write_targets();
    void write_frame_target(std::uint32_t frame, JsonWriter& json);
    void write_morph_target(const scene::MorphTarget& target, JsonWriter& json);
    LoadResult<std::string> attributes(const GltfJoints* joints, InfluenceLosses& losses);
    LoadResult<std::string> influence_sets(const GltfJoints& joints, InfluenceLosses& losses);
    void write_primitives(const std::string& attributes, JsonWriter& json);
    std::uint32_t uv_sets() const;

    const scene::Scene& scene_;
    const scene::Mesh& mesh_;
    GltfBuffer& buffer_;
    bool empty_ = false;
    FrameTargets frames_;
    std::vector<std::pair<std::string, std::uint32_t>> attributes_;
    std::vector<std::optional<std::uint32_t>> indices_; // by primitive; nullopt: draws nothing
    std::string targets_;
};

} // namespace vitrine::exporting
