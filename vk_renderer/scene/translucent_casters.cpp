#include "vk_renderer/scene/shadow_casters.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "loaders/scene/uv_sets.hpp"
#include "vk_renderer/textures/alpha_coverage.hpp"
#include "vk_renderer/textures/material_extensions.hpp"
#include "vk_renderer/textures/uv_transform.hpp"

namespace vitrine::render {
namespace {

using CasterIndices = std::span<const std::uint32_t>;
using Coverage = OpacityMask::Coverage;

// Beyond these fractions the difference from all or none is not visible.
constexpr float min_full_opacity = 254.5f / 255.0f, max_zero_opacity = 1.0f / 255.0f;

float mean_alpha(const scene::Mesh& mesh, CasterIndices triangle)
{
    if (mesh.colors.empty()) return 1.0f;
    float sum = 0.0f;
    for (const auto vertex : triangle)
        sum += mesh.colors[vertex].w;
    return sum / static_cast<float>(triangle.size());
}

// Fraction of light blocked by the texture; `opacity`: that of a surface with alpha 1.
float opacity_of(const TranslucentCasters::CasterSurface& surface, CasterIndices triangle,
                 const scene::Material& material, float opacity)
{
    if (material.alpha_mode == scene::AlphaMode::opaque || min_visible_alpha(material) > 0) return opacity;
    const float alpha = material.base_color.w * surface.alpha * mean_alpha(surface.mesh, triangle);
    if (material.alpha_mode == scene::AlphaMode::mask) return alpha >= material.alpha_cutoff ? opacity : 0.0f;
    return opacity * std::clamp(alpha, 0.0f, 1.0f);
}

std::array<glm::vec2, 3> corners_of(std::span<const glm::vec2> uvs, CasterIndices triangle,
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
        opacity_.push_back(1.0f - transmitted_fraction(scene, material));
}

TranslucentCasters::CachedMask& TranslucentCasters::mask_of(const scene::Material& material)
{
    const auto image = material.base_color_texture.image;
    const auto min_alpha = min_visible_alpha(material);
    const bool textured = image != scene::none && !scene_.images[image].pixels.empty() &&
                          (min_alpha > 0 || material.alpha_mode == scene::AlphaMode::blend);
    const auto key = textured ? std::pair(image, min_alpha) : std::pair(scene::none, std::uint8_t{0});
    if (const auto found = masks_by_image_.find(key); found != masks_by_image_.end()) return found->second;
    auto mask = textured ? OpacityMask(scene_.images[image], min_alpha) : OpacityMask();
    return masks_by_image_.emplace(key, CachedMask{std::move(mask)}).first->second;
}

std::span<const glm::vec2> TranslucentCasters::uvs_of(const scene::Mesh& mesh,
                                                      const scene::Material& material) const
{
    return scene::uvs_of(mesh, material.base_color_texture.uv_set);
}

Coverage TranslucentCasters::coverage_over(const CasterSurface& surface, CasterIndices triangle)
{
    const auto& material = scene_.materials[surface.material];
    const float opacity = opacity_of(surface, triangle, material, opacity_[surface.material]);
    if (opacity < max_zero_opacity) return Coverage::none;
    const auto& texture = material.base_color_texture;
    const auto [a, b, c] = corners_of(uvs_of(surface.mesh, material), triangle, texture);
    const auto part = mask_of(material).mask.coverage_over(glm::min(glm::min(a, b), c),
                                                           glm::max(glm::max(a, b), c), texture);
    return part == Coverage::all && opacity < min_full_opacity ? Coverage::some : part;
}

void TranslucentCasters::add(const CasterSurface& surface, CasterIndices triangle, std::uint32_t offset,
                             bool fine)
{
    const auto& material = scene_.materials[surface.material];
    const auto& texture = material.base_color_texture;
    auto& entry = mask_of(material);
    if (entry.first_word == scene::none) {
        entry.first_word = static_cast<std::uint32_t>(masks_.size() / 4);
        masks_.insert(masks_.end(), entry.mask.texels().begin(), entry.mask.texels().end());
    }
    auto uv = corners_of(uvs_of(surface.mesh, material), triangle, texture);
    std::array vertices{triangle[0] + offset, triangle[1] + offset, triangle[2] + offset};
    if (fine) {
        uv.fill((uv[0] + uv[1] + uv[2]) / 3.0f);
        vertices.fill(vertices[0]);
    }
    list_.push_back({.corners = {vertices[0], vertices[1], vertices[2], entry.first_word},
                     .uv01 = {uv[0], uv[1]},
                     .uv2 = uv[2],
                     .wraps = static_cast<std::uint32_t>(texture.wrap_s) |
                              static_cast<std::uint32_t>(texture.wrap_t) << 2,
                     .opacity = opacity_of(surface, triangle, material, opacity_[surface.material])});
}

} // namespace vitrine::render
