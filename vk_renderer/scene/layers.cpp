#include "vk_renderer/scene/layers.hpp"

#include <algorithm>
#include <cmath>

#include "vk_renderer/scene/uv_transform.hpp"

namespace vitrine::render {
namespace {

// Fresnel's reflectance of a dielectric in air, seen head-on.
float head_on_reflectance(float ior)
{
    if (ior == 0.0f) return 1.0f; // KHR_materials_ior: as infinity
    const float root = (ior - 1.0f) / (ior + 1.0f);
    return root * root;
}

// Of a metre, as KHR_materials_volume has it: white light has the colour after the distance.
glm::vec3 absorption(const scene::Layers& layers)
{
    if (!(layers.attenuation_distance > 0.0f)) return glm::vec3(0.0f);
    const auto colour = glm::clamp(layers.attenuation_colour, 1e-4f, 1.0f);
    return -glm::log(colour) / std::max(layers.attenuation_distance, 1e-6f); // finite
}

} // namespace

bool is_layered(const scene::Material& material)
{
    return !material.unlit && material.layers != scene::Layers{};
}

bool transmits(const scene::Material& material)
{
    return !material.unlit && material.layers.transmission > 0.0f && material.metallic < 1.0f;
}

bool blends(const scene::Material& material)
{
    return material.alpha_mode == scene::AlphaMode::blend || transmits(material);
}

float passing_share(const scene::Material& material)
{
    if (!transmits(material)) return 0.0f;
    const auto colour = glm::clamp(glm::vec3(material.base_colour), 0.0f, 1.0f);
    const float bright = std::max({colour.x, colour.y, colour.z});
    return std::clamp(material.layers.transmission * (1.0f - material.metallic) * bright, 0.0f, 1.0f);
}

shared::LayerParams layer_params(const scene::Material& material)
{
    const auto& l = material.layers;
    return {.specular = glm::vec4(head_on_reflectance(l.ior) * l.specular_colour, l.specular),
            .sheen = glm::vec4(l.sheen, l.sheen_roughness),
            .coat = {l.clearcoat, l.clearcoat_roughness, l.transmission, 0.0f},
            .absorption = glm::vec4(absorption(l), l.thickness),
            .uv = {uv_transform(l.specular_texture), uv_transform(l.specular_colour_texture),
                   uv_transform(l.clearcoat_texture), uv_transform(l.clearcoat_roughness_texture),
                   uv_transform(l.sheen_texture), uv_transform(l.sheen_roughness_texture),
                   uv_transform(l.transmission_texture)}};
}

} // namespace vitrine::render
