#include "loaders/export/material_image.hpp"

#include <algorithm>
#include <cmath>

namespace vitrine::exporting {

bool has_texture(const scene::Scene& scene, const scene::Material& material)
{
    const auto image = material.base_color_texture.image;
    return image != scene::none && !scene.images[image].pixels.empty();
}

scene::Image material_image(const scene::Scene& scene, const scene::Material& material)
{
    if (has_texture(scene, material)) return scene.images[material.base_color_texture.image];
    scene::Image plain{material.name, 4, 4, {}};
    const auto byte = [](float c) {
        return static_cast<std::uint8_t>(
            std::lround(255.0f * std::pow(std::clamp(c, 0.0f, 1.0f), 1.0f / 2.2f)));
    };
    const auto& c = material.base_color;
    for (int i = 0; i < 16; ++i)
        plain.pixels.insert(plain.pixels.end(), {byte(c.x), byte(c.y), byte(c.z), 255});
    return plain;
}

} // namespace vitrine::exporting
