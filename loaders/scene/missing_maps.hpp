#pragma once
// How a material looks where a map that it names is missing or cannot be decoded: as one whose map has no
// effect. The one rule for all loaders.

#include <cstdint>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

//   base color, metallic-roughness, specular, roughnesses    the factors alone
//   normal, occlusion                                         none
//   opacity                                                   as opaque as the factor says
//   emission, clearcoat, sheen, transmission                  nothing, whatever the factor: it only limits
//                                                             what the map shows
// Textures without pixels have the first three rows by themselves (Image); this is about the last.
enum class MapKind : std::uint8_t { emission, clearcoat, sheen, transmission };

void apply_missing_map(Material& material, MapKind kind);
// apply_missing_map() for those whose images have no pixels.
void apply_missing_maps(Material& material, const std::vector<Image>& images);

} // namespace vitrine::scene
