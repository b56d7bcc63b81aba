#pragma once
// The codecs behind encode.hpp, one file each.

#include "vk_renderer/encode/encode.hpp"

namespace vitrine::render {

std::vector<std::byte> encode_png(const Frame& frame);
std::vector<std::byte> encode_jpeg(const Frame& frame, int quality);
std::vector<std::byte> encode_webp(const Frame& frame, int quality);

void require_pixels(const Frame& frame); // throws std::runtime_error
bool is_opaque(const Frame& frame);

} // namespace vitrine::render
