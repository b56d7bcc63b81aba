#pragma once
// The codecs behind encode.hpp, one source file per codec.

#include "vk_renderer/encode/encode.hpp"

namespace vitrine::render {

std::vector<std::byte> encode_png(const Frame& frame);
std::vector<std::byte> encode_jpeg(const Frame& frame, int quality);
std::vector<std::byte> encode_webp(const Frame& frame, int quality);

// Region of a frame in pixels.
struct Rectangle {
    std::uint32_t x = 0, y = 0, width = 0, height = 0;
};
// Encodes a region of a frame for an animation, preferring speed over size.
std::vector<std::byte> encode_webp_part(const Frame& frame, const Rectangle& part, int quality);

void require_pixels(const Frame& frame); // throws std::runtime_error
bool is_opaque(const Frame& frame);

} // namespace vitrine::render
