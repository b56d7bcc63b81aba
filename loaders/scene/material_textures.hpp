#pragma once
// Enumerates all textures of a material.

#include <array>
#include <concepts>
#include <type_traits>

#include "loaders/scene/material.hpp"

namespace vitrine::scene {

// M: Material or const Material.
template <class M>
    requires std::same_as<std::remove_const_t<M>, Material>
auto textures_of(M& m)
{
    auto& l = m.extensions;
    return std::array{
        &m.base_color_texture,     &m.metallic_roughness_texture, &m.normal_texture,
        &m.occlusion_texture,      &m.emissive_texture,           &l.specular_texture,
        &l.specular_color_texture, &l.clearcoat_texture,          &l.clearcoat_roughness_texture,
        &l.sheen_texture,          &l.sheen_roughness_texture,    &l.transmission_texture};
}

} // namespace vitrine::scene
