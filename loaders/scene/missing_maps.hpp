#pragma once
// The appearance of a material whose map is missing or cannot be decoded: the map has no effect. The rule is
// common to all loaders.

#include <cstdint>

#include "loaders/scene/material.hpp"

namespace vitrine::scene {

//   missing map                                     effect
//   base color, specular, roughnesses               the factors are used alone
//   normal, occlusion                               none
//   opacity                                         the factor is used alone; 0, which some programs write
//                                                   beside a map, is opaque
//   metalness, emission, clearcoat, sheen,          disabled whatever the factor, which only scales
//   transmission                                    the map
//   specular color                                  at most 1: larger factors only scale the map
// Textures without pixels are drawn as if the material had none (Image); apply_missing_map() implements the
// last two rows. Factors that are black or metallic only to let the map decide are the loaders' task.
enum class MapKind : std::uint8_t { metalness, emission, specular_color, clearcoat, sheen, transmission };

// Disables the effect of a map of this kind. For formats whose factor scales the map.
void apply_missing_map(Material& material, MapKind kind);

} // namespace vitrine::scene
