#include "loaders/export/quake/skin_atlas.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "loaders/export/material_image.hpp"

namespace vitrine::exporting {
namespace {

constexpr std::uint32_t cell_margin =
    8; // pixels above and below an image, so that three mip levels do not mix neighbors

// Wraps values outside 0 .. 1; both ends are kept.
float wrapped(float value)
{
    return value >= 0.0f && value <= 1.0f ? value : value - std::floor(value);
}

} // namespace

SkinAtlas::SkinAtlas(const scene::Scene& scene)
{
    std::vector<scene::Material> materials(scene.materials);
    materials.emplace_back();
    for (const auto& material : materials)
        image_.width = std::max(image_.width, material_image(scene, material).width);
    for (const auto& material : materials)
        add(material_image(scene, material), !has_texture(scene, material));
}

// Adds an image below the existing ones, at the left. The area beside, above and below it repeats its edges,
// so that filtering does not mix in other colors, also across the atlas' own edges.
void SkinAtlas::add(const scene::Image& image, bool plain)
{
    cells_.push_back({static_cast<float>(image_.height + cell_margin), static_cast<float>(image.width),
                      static_cast<float>(image.height), plain});
    for (std::uint32_t row = 0; row < image.height + 2 * cell_margin; ++row) {
        const auto y = std::min(row - std::min(row, cell_margin), image.height - 1);
        for (std::uint32_t x = 0; x < image_.width; ++x) {
            const std::size_t from = std::size_t{y} * image.width + std::min(x, image.width - 1);
            const auto texel = std::span(image.pixels).subspan(4 * from, 4);
            image_.pixels.insert(image_.pixels.end(), texel.begin(), texel.end());
        }
    }
    image_.height += image.height + 2 * cell_margin;
}

glm::vec2 SkinAtlas::place(std::uint32_t material, glm::vec2 uv) const
{
    const Cell& cell = material < cells_.size() ? cells_[material] : cells_.back();
    const glm::vec2 inside = cell.plain ? glm::vec2(0.5f) : glm::vec2(wrapped(uv.x), wrapped(uv.y));
    const glm::vec2 pixel(inside.x * cell.width, cell.top + inside.y * cell.height);
    return pixel / glm::vec2(image_.width, image_.height);
}

} // namespace vitrine::exporting
