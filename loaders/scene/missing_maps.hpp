#pragma once
// The appearance of a material whose map is missing or cannot be decoded: the map has no effect. The rule is
// common to all loaders.

#include <cstdint>
#include <vector>

#include "loaders/scene/material.hpp"

namespace vitrine::scene {

//   missing map                                               effect
//   base color, metallic-roughness, specular, roughnesses     the factors are used alone
//   normal, occlusion                                         none
//   opacity                                                   the factor is used alone
//   emission, clearcoat, sheen, transmission                  disabled, whatever the factor: it only scales
//                                                             the map
// Textures without pixels behave as in the first three rows without further treatment (Image); the functions
// below implement the last row.
enum class MapKind : std::uint8_t { emission, clearcoat, sheen, transmission };

// Disables the effect of a map of this kind.
void apply_missing_map(Material& material, MapKind kind);
// Calls apply_missing_map() for the maps whose images have no pixels.
void apply_missing_maps(Material& material, const std::vector<Image>& images);

} // namespace vitrine::scene
