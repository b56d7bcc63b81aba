#include <fmt/format.h>

#include "loaders/export/gltf/gltf_mesh.hpp"

namespace vitrine::exporting {

GltfMeshTable::GltfMeshTable(const scene::Scene& scene, GltfBuffer& buffer, GltfMaterialTable& materials,
                             std::vector<scene::Warning>& warnings)
    : scene_(scene), buffer_(buffer), materials_(materials), warnings_(warnings),
      meshes_(scene.meshes.size()), frames_(scene.meshes.size())
{
}

GltfMesh& GltfMeshTable::mesh_of(std::uint32_t mesh)
{
    if (!meshes_[mesh]) {
        meshes_[mesh] = std::make_unique<GltfMesh>(scene_, mesh, buffer_);
        frames_[mesh] = meshes_[mesh]->frames();
    }
    return *meshes_[mesh];
}

void GltfMeshTable::warn_about_losses(const InfluenceLosses& losses, std::uint32_t mesh)
{
    const auto where = fmt::format("/meshes/{}", mesh);
    if (losses.negative)
        warnings_.push_back(
            {"negative_weights", "glTF does not allow negative weights; they are dropped", where});
    if (losses.not_normalized)
        warnings_.push_back(
            {"weights_normalized", "glTF requires weights that sum to 1; other sums are normalized", where});
}

LoadResult<std::uint32_t> GltfMeshTable::write(std::uint32_t mesh, const GltfJoints* joints,
                                               const glm::vec4& color)
{
    const std::tuple key(mesh, joints ? std::optional(layout_of(*joints)) : std::nullopt,
                         std::array{color.x, color.y, color.z, color.w});
    const auto known = written_.find(key);
    if (known != written_.end()) return known->second;
    InfluenceLosses losses;
    auto text = mesh_of(mesh).write(joints, color, materials_, losses);
    if (!text) return std::unexpected(text.error());
    text_bytes_ += text->size();
    texts_.push_back(std::move(*text));
    warn_about_losses(losses, mesh);
    return written_[key] = static_cast<std::uint32_t>(texts_.size() - 1);
}

} // namespace vitrine::exporting
