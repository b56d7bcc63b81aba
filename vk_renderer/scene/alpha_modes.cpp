#include "vk_renderer/scene/alpha_modes.hpp"

#include <algorithm>
#include <span>

namespace vitrine::render {
namespace {

// Of the vertices that the primitive shows.
bool has_opaque_colors(const scene::Mesh& mesh, const scene::Primitive& primitive)
{
    const auto vertices = std::span(mesh.indices).subspan(primitive.first, primitive.count);
    return mesh.colors.empty() ||
           std::ranges::all_of(vertices, [&](auto vertex) { return mesh.colors[vertex].w >= 1.0f; });
}

} // namespace

AlphaModes::AlphaModes(const scene::Scene& scene)
    : scene_(scene), images_(scene), least_(scene.meshes.size(), 1.0f), known_(scene.meshes.size())
{
    for (const auto& node : scene.nodes)
        if (node.mesh != scene::none) least_[node.mesh] = std::min(least_[node.mesh], node.color.w);
}

scene::AlphaMode AlphaModes::of(std::uint32_t mesh, std::uint32_t primitive)
{
    const auto& primitives = scene_.meshes[mesh].primitives;
    auto& known = known_[mesh];
    known.resize(primitives.size());
    if (!known[primitive]) known[primitive] = find(mesh, primitives[primitive]);
    return *known[primitive];
}

scene::AlphaMode AlphaModes::find(std::uint32_t mesh, const scene::Primitive& primitive)
{
    if (primitive.material == scene::none) return scene::AlphaMode::opaque;
    const auto& material = scene_.materials[primitive.material];
    if (material.alpha_mode != scene::AlphaMode::blend) return material.alpha_mode;
    const auto image = material.base_color_texture.image;
    const bool opaque = material.base_color.w >= 1.0f && least_[mesh] >= 1.0f &&
                        has_opaque_colors(scene_.meshes[mesh], primitive) &&
                        (image == scene::none || !images_.has_transparency(image));
    return opaque ? scene::AlphaMode::opaque : scene::AlphaMode::blend;
}

} // namespace vitrine::render
