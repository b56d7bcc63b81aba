#pragma once
// Combines images for older formats, which store opacity, roughness and metalness in separate images and
// bumps as heights; the Scene stores channels of one image and normals. Pure functions.

#include <array>
#include <cstdint>

#include "loaders/scene/scene.hpp"

namespace vitrine::images {

// The result of combining one or two images, without pixels. Precondition: not both null.
scene::Image output_image_for(const scene::Image* a, const scene::Image* b);

// The colors of `color` (white if null) with the opacity of `alpha`: its alpha channel if it has one, else
// its brightness. The size is that of the larger image; nearest-neighbor sampling.
scene::Image with_alpha(const scene::Image* color, const scene::Image& alpha);
// G is the red channel of `roughness`, B the red channel of `metallic`, 255 if null. Precondition: not both
// null.
scene::Image metallic_roughness(const scene::Image* roughness, const scene::Image* metallic);
// Converts heights (brightness) to a tangent-space normal map.
scene::Image normal_map_from_heights(const scene::Image& heights, float strength);

// Inverts the colors; keeps alpha.
scene::Image negative(const scene::Image& image);
// Blends the image over a constant color with weight `amount` (0 to 1).
scene::Image mixed(const scene::Image& image, const std::array<std::uint8_t, 3>& under, float amount);
// Converts a linear color to sRGB bytes.
std::array<std::uint8_t, 3> to_srgb(const glm::vec3& linear);

bool is_gray(const scene::Image& image);
// Whether alpha is almost entirely 0 or 255 (a cutout).
bool has_binary_alpha(const scene::Image& image);
bool is_opaque(const scene::Image& image);

} // namespace vitrine::images
