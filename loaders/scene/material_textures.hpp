#pragma once
// Enumerates all textures of a material.

#include <array>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

inline std::array<const Texture*, 12> textures_of(const Material& m)
{
    const MaterialExtensions& l = m.extensions;
    return {&m.base_color_texture,     &m.metallic_roughness_texture, &m.normal_texture,
            &m.occlusion_texture,      &m.emissive_texture,           &l.specular_texture,
            &l.specular_color_texture, &l.clearcoat_texture,          &l.clearcoat_roughness_texture,
            &l.sheen_texture,          &l.sheen_roughness_texture,    &l.transmission_texture};
}

} // namespace vitrine::scene
