#pragma once
// Older formats give transparency, roughness and metalness a picture each and bumps as heights; the Scene
// wants them in the channels of one picture and as normals. Pure functions on pixels.

#include <array>
#include <cstdint>

#include "loaders/scene/scene.hpp"

namespace vitrine::images {

// What these make of one or two pictures, but for the pixels. Precondition: not both null.
scene::Image output_image_for(const scene::Image* a, const scene::Image* b);

// The colors of `color` (white where null) with the opacity of `alpha`: its own alpha where it has one,
// else its brightness. As large as the larger; nearest pixels.
scene::Image with_alpha(const scene::Image* color, const scene::Image& alpha);
// G the red of `roughness`, B the red of `metallic`, 255 where null. Precondition: not both null.
scene::Image metallic_roughness(const scene::Image* roughness, const scene::Image* metallic);
// Heights (brightness) to a tangent-space normal map.
scene::Image normal_map_from_heights(const scene::Image& heights, float strength);

// Its colors turned round; opacity stays.
scene::Image negative(const scene::Image& image);
// `amount` (0 to 1) of the image over a plain color.
scene::Image mixed(const scene::Image& image, const std::array<std::uint8_t, 3>& under, float amount);
// The bytes of a linear color.
std::array<std::uint8_t, 3> to_srgb(const glm::vec3& linear);

bool is_grey(const scene::Image& image);
// Whether alpha is all but black and white: a cut-out.
bool has_binary_alpha(const scene::Image& image);
bool is_opaque(const scene::Image& image);

} // namespace vitrine::images
