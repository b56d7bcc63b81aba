#include "vk_renderer/scene/translucent_casters.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "vk_renderer/textures/alpha_coverage.hpp"
#include "vk_renderer/textures/material_layers.hpp"
#include "vk_renderer/textures/uv_transform.hpp"

namespace vitrine::render {
namespace {

using Triangle = std::span<const std::uint32_t>;
using Part = OpacityMask::Part;

// Beyond these shares nobody sees that it is not all, or not none.
constexpr float all_opacity = 254.5f / 255.0f, no_opacity = 1.0f / 255.0f;

float mean_alpha(const scene::Mesh& mesh, Triangle triangle)
{
    if (mesh.colors.empty()) return 1.0f;
    float sum = 0.0f;
    for (const auto vertex : triangle)
        sum += mesh.colors[vertex].w;
    return sum / static_cast<float>(triangle.size());
}

// Of the light that the texture stops; `most`: of a surface that its alpha shows wholly.
float opacity_of(const TranslucentCasters::DebugView& surface, Triangle triangle,
                 const scene::Material& material, float most)
{
    if (material.alpha_mode == scene::AlphaMode::opaque || min_visible_alpha(material) > 0) return most;
    const float alpha = material.base_color.w * surface.alpha * mean_alpha(surface.mesh, triangle);
    if (material.alpha_mode == scene::AlphaMode::mask) return alpha >= material.alpha_cutoff ? most : 0.0f;
    return most * std::clamp(alpha, 0.0f, 1.0f);
}

std::array<glm::vec2, 3> corners_of(const std::vector<glm::vec2>& uvs, Triangle triangle,
                                    const scene::Texture& texture)
{
    const auto transform = uv_transform(texture);
    std::array<glm::vec2, 3> corners{};
    for (std::size_t i = 0; i < 3; ++i)
        corners[i] = transformed(transform, uvs.empty() ? glm::vec2(0.0f) : uvs[triangle[i]]);
    return corners;
}

} // namespace

TranslucentCasters::TranslucentCasters(const scene::Scene& scene) : scene_(scene)
{
    for (const auto& material : scene.materials)
        most_.push_back(1.0f - transmitted_fraction(scene, material));
}

TranslucentCasters::Known& TranslucentCasters::mask_of(const scene::Material& material)
{
    const auto image = material.base_color_texture.image;
    const auto least = min_visible_alpha(material);
    const bool textured = image != scene::none && !scene_.images[image].pixels.empty() &&
                          (least > 0 || material.alpha_mode == scene::AlphaMode::blend);
    const auto key = textured ? std::pair(image, least) : std::pair(scene::none, std::uint8_t{0});
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    auto mask = textured ? OpacityMask(scene_.images[image], least) : OpacityMask();
    return known_.emplace(key, Known{std::move(mask)}).first->second;
}

const std::vector<glm::vec2>& TranslucentCasters::uvs_of(const scene::Mesh& mesh,
                                                         const scene::Material& material) const
{
    return material.base_color_texture.uv_set == 0 ? mesh.uv0 : mesh.uv1;
}

Part TranslucentCasters::opacity_over(const DebugView& surface, Triangle triangle)
{
    const auto& material = scene_.materials[surface.material];
    const float opacity = opacity_of(surface, triangle, material, most_[surface.material]);
    if (opacity < no_opacity) return Part::none;
    const auto& texture = material.base_color_texture;
    const auto [a, b, c] = corners_of(uvs_of(surface.mesh, material), triangle, texture);
    const auto part = mask_of(material).mask.opacity_over(glm::min(glm::min(a, b), c),
                                                          glm::max(glm::max(a, b), c), texture);
    return part == Part::all && opacity < all_opacity ? Part::some : part;
}

void TranslucentCasters::add(const DebugView& surface, Triangle triangle, std::uint32_t offset, bool fine)
{
    const auto& material = scene_.materials[surface.material];
    const auto& texture = material.base_color_texture;
    auto& known = mask_of(material);
    if (known.first_word == scene::none) {
        known.first_word = static_cast<std::uint32_t>(masks_.size() / 4);
        masks_.insert(masks_.end(), known.mask.texels().begin(), known.mask.texels().end());
    }
    auto uv = corners_of(uvs_of(surface.mesh, material), triangle, texture);
    std::array vertices{triangle[0] + offset, triangle[1] + offset, triangle[2] + offset};
    if (fine) {
        uv.fill((uv[0] + uv[1] + uv[2]) / 3.0f);
        vertices.fill(vertices[0]);
    }
    list_.push_back({.corners = {vertices[0], vertices[1], vertices[2], known.first_word},
                     .uv01 = {uv[0], uv[1]},
                     .uv2 = uv[2],
                     .wraps = static_cast<std::uint32_t>(texture.wrap_s) |
                              static_cast<std::uint32_t>(texture.wrap_t) << 2,
                     .opacity = opacity_of(surface, triangle, material, most_[surface.material])});
}

} // namespace vitrine::render
