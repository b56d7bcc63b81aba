#include "loaders/export/skin_atlas.hpp"

#include <algorithm>
#include <cmath>

#include "loaders/export/material_picture.hpp"

namespace vitrine::exporting {
namespace {

// Into 0 .. 1 where it lies beyond; both ends stay.
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
        image_.width = std::max(image_.width, picture_of(scene, material).width);
    for (const auto& material : materials)
        add(picture_of(scene, material), !has_texture(scene, material));
}

// Below what is there, at the left.
void SkinAtlas::add(const scene::Image& picture, bool plain)
{
    cells_.push_back({static_cast<float>(image_.height), static_cast<float>(picture.width),
                      static_cast<float>(picture.height), plain});
    const std::size_t row = std::size_t{image_.width} * 4, from = std::size_t{picture.width} * 4;
    image_.pixels.resize(image_.pixels.size() + row * picture.height, 255);
    for (std::size_t y = 0; y < picture.height; ++y) {
        const auto at = image_.pixels.begin() + static_cast<std::ptrdiff_t>(row * (image_.height + y));
        std::copy_n(picture.pixels.begin() + static_cast<std::ptrdiff_t>(from * y), from, at);
    }
    image_.height += picture.height;
}

glm::vec2 SkinAtlas::place(std::uint32_t material, glm::vec2 uv) const
{
    const Cell& cell = material < cells_.size() ? cells_[material] : cells_.back();
    const glm::vec2 inside = cell.plain ? glm::vec2(0.5f) : glm::vec2(wrapped(uv.x), wrapped(uv.y));
    const glm::vec2 pixel(inside.x * cell.width, cell.top + inside.y * cell.height);
    return pixel / glm::vec2(image_.width, image_.height);
}

} // namespace vitrine::exporting
