#pragma once
// PNG encoder of the tree: exported textures and rendered frames. Any thread.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// 8-bit RGBA, rows from the top, without padding. Precondition: rgba.size() is 4 * width * height, not 0.
struct PngPixels {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::span<const std::uint8_t> rgba;
};

// Appends to `out`. Opaque pixels are written as RGB. `zlib_level` as in libdeflate, 1 to 12. Throws
// std::runtime_error when memory for the encoder runs out.
void append_png(std::vector<std::byte>& out, const PngPixels& pixels, int zlib_level);

// Precondition: the image has pixels.
std::vector<std::byte> write_png(const scene::Image& image);

} // namespace vitrine::exporting
