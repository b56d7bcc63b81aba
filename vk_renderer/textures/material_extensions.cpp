#include "vk_renderer/textures/material_extensions.hpp"

#include <algorithm>
#include <cmath>

#include "vk_renderer/textures/uv_transform.hpp"

namespace vitrine::render {
namespace {

// Fresnel reflectance of a dielectric in air at normal incidence.
float head_on_reflectance(float ior)
{
    if (!(ior > 0.0f)) return 1.0f; // KHR_materials_ior: 0 means infinity
    const float root = (ior - 1.0f) / (ior + 1.0f);
    return root * root;
}

// Absorption per meter (KHR_materials_volume): white light has the attenuation color after the distance.
glm::vec3 absorption(const scene::MaterialExtensions& extensions)
{
    if (!(extensions.attenuation_distance > 0.0f)) return glm::vec3(0.0f);
    const auto color = glm::clamp(extensions.attenuation_color, 1e-4f, 1.0f);
    return -glm::log(color) / std::max(extensions.attenuation_distance, 1e-6f); // finite
}

// Mean of a channel, 0 .. 1; 1 without an image.
float mean(const scene::Scene& scene, const scene::Texture& texture, std::size_t channel)
{
    if (texture.image == scene::none || scene.images[texture.image].pixels.empty()) return 1.0f;
    const auto& pixels = scene.images[texture.image].pixels;
    std::uint64_t sum = 0;
    for (std::size_t at = channel; at < pixels.size(); at += 4)
        sum += pixels[at];
    return static_cast<float>(4.0 * static_cast<double>(sum) / (255.0 * static_cast<double>(pixels.size())));
}

} // namespace

bool has_extensions(const scene::Material& material)
{
    return !material.unlit && material.extensions != scene::MaterialExtensions{};
}

bool transmits(const scene::Material& material)
{
    const bool all_metal =
        material.metallic >= 1.0f && material.metallic_roughness_texture.image == scene::none;
    return !material.unlit && material.extensions.transmission > 0.0f && !all_metal;
}

float transmitted_fraction(const scene::Scene& scene, const scene::Material& material)
{
    if (!transmits(material)) return 0.0f;
    const auto color = glm::clamp(glm::vec3(material.base_color), 0.0f, 1.0f);
    const float metal = material.metallic * mean(scene, material.metallic_roughness_texture, 2);
    const float passing =
        material.extensions.transmission * mean(scene, material.extensions.transmission_texture, 0);
    return std::clamp(passing * (1.0f - metal) * std::max({color.x, color.y, color.z}), 0.0f, 1.0f);
}

shared::MaterialExtensionParams material_extension_params(const scene::Material& material)
{
    const auto& l = material.extensions;
    return {.specular = glm::vec4(head_on_reflectance(l.ior) * l.specular_color, l.specular),
            .sheen = glm::vec4(l.sheen, l.sheen_roughness),
            .coat = {l.clearcoat, l.clearcoat_roughness, transmits(material) ? l.transmission : 0.0f, 0.0f},
            .absorption = glm::vec4(absorption(l), std::clamp(l.thickness, 0.0f, 1e6f)),
            .uv = {uv_transform(l.specular_texture), uv_transform(l.specular_color_texture),
                   uv_transform(l.clearcoat_texture), uv_transform(l.clearcoat_roughness_texture),
                   uv_transform(l.sheen_texture), uv_transform(l.sheen_roughness_texture),
                   uv_transform(l.transmission_texture)}};
}

} // namespace vitrine::render
