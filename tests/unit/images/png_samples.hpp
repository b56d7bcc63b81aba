#pragma once
// PNG files of every kind, written by libpng.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::test {

struct PngKind {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    int bits = 8;
    int color_type = 2; // 0 gray, 2 RGB, 3 palette of 256 random colors, 4 gray with alpha, 6 RGBA
    bool interlaced = false;
    bool transparent = false; // one gray value or color, or the first 100 colors of the palette
};

// `rows`: packed as in the file, without filter types.
std::string write_png(const PngKind& kind, std::string_view rows);
std::size_t row_bytes(const PngKind& kind);
// One for each color type and number of bits.
std::vector<PngKind> every_png_kind(std::uint32_t width, std::uint32_t height);

} // namespace vitrine::test
