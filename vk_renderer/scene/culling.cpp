#include "vk_renderer/scene/culling.hpp"

namespace vitrine::render {

bool culls_backs(const scene::Scene& scene, std::uint32_t material)
{
    const bool says = scene.format == "gltf" || scene.format == "glb";
    return says && (material == scene::none || !scene.materials[material].double_sided);
}

std::uint32_t mover_of(const scene::Instance& instance, const scene::Mesh& mesh, std::uint32_t vertex)
{
    const auto node = instance.first_palette + instance.palette_count - 1;
    if (mesh.influences.first.empty() || instance.skin == scene::none) return node;
    const auto first = mesh.influences.first[vertex];
    if (first == mesh.influences.first[vertex + 1]) return node;
    return instance.first_palette + mesh.influences.joints[first];
}

bool mirrors(const scene::PaletteEntry& entry)
{
    const auto& row = entry.row;
    return glm::dot(glm::vec3(row[0]), glm::cross(glm::vec3(row[1]), glm::vec3(row[2]))) < 0.0f;
}

} // namespace vitrine::render
