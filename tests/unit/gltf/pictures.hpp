#pragma once
// One small image, red and quarter-opaque (0, 128, 255), in several formats.

#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/gltf/builder.hpp"

namespace vitrine::test {

std::vector<std::uint8_t> two_pixels(); // RGBA
std::string two_pixels_png();
std::string two_pixels_webp(); // lossless
// The two pixels in column 2 and row 0 of a canvas of 4 x 1, and a second frame.
std::string animated_webp();
std::string two_pixels_tga();
std::string two_pixels_bmp(); // without alpha
std::string two_pixels_psd();
std::string gray16_png(); // 2 x 1: white, middle gray, 16 bits
std::string red_jpeg();   // 8 x 8

// A triangle without material, image 0 and sampler 0, and this texture.
GltfBuilder with_texture(const std::string& texture = R"({"source":0,"sampler":0})");
// The scene of a file with this material.
scene::Scene with_material(const std::string& material, GltfBuilder builder = triangle());

} // namespace vitrine::test
