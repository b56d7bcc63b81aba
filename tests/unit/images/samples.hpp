#pragma once
// Images in formats that no library here writes, assembled from bytes.

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/images/image.hpp"

namespace vitrine::test {

using Color = std::array<std::uint8_t, 4>;

std::string from_list(std::initializer_list<unsigned> bytes);
std::string little_endian(std::initializer_list<std::uint32_t> values); // 32 bits each

struct PcxHeader {
    unsigned version = 5;
    bool runs = true;
    unsigned bits = 8;
    unsigned planes = 1;
    unsigned width = 2;
    unsigned height = 1;
    unsigned line_bytes = 2;
    std::string palette{}; // up to 16 colors
};
std::string pcx(const PcxHeader& header, std::string_view lines);
std::string vga_palette(std::initializer_list<std::array<unsigned, 3>> first_colors);

// `pixel_format`: flags, fourCC, bits, four masks.
std::string dds(unsigned width, unsigned height, std::array<std::uint32_t, 7> pixel_format,
                std::string_view data);
std::string dds(unsigned width, unsigned height, std::string_view four_cc, std::string_view data);
std::string dds_dx10(unsigned width, unsigned height, unsigned dxgi, std::string_view data);

// Four colors: red, green, blue, white. `pixels` are color indices, one character each; `blocks` precede the
// image.
struct GifFrame {
    unsigned left = 0, top = 0, width = 2, height = 2;
    bool interlaced = false;
    bool own_palette = false; // white, blue, green, red
};
std::string gif(unsigned width, unsigned height, const GifFrame& frame, std::string_view pixels,
                std::string_view blocks = {});
// From image data: bits per index, then blocks.
std::string gif_of_data(unsigned width, unsigned height, const GifFrame& frame, std::string_view data,
                        std::string_view blocks = {});

std::string hdr(std::string_view resolution, std::string_view pixels);

std::string big_endian(std::initializer_list<std::uint32_t> values); // 32 bits each
// `palette`: blue, green, red and 0 for each color.
std::string bmp(std::int32_t width, std::int32_t height, unsigned bits, unsigned compression,
                const std::string& pixels, const std::string& palette = {});
std::string psd(unsigned channels, unsigned depth, unsigned mode, unsigned width, unsigned height,
                unsigned compression, const std::string& data, const std::string& palette = {},
                const std::string& layers = {});

// With the footer of version 2. `descriptor`: 0x20 is top-down, 0x10 is right to left.
struct TgaHeader {
    unsigned type = 2, width = 2, height = 1, bits = 24;
    unsigned map_first = 0, map_count = 0, map_bits = 24;
    unsigned descriptor = 0x20;
};
std::string tga(const TgaHeader& header, std::string_view data);

// One image for each code path of the decoders above.
std::vector<std::string> every_picture();

LoadResult<scene::Image> decode(const std::string& bytes, std::string_view name = "picture");
LoadResult<scene::Image> decode_or_reduce(const std::string& bytes, images::PixelUse use,
                                          std::string_view name = "picture");
LoadResult<scene::Image> check(const std::string& bytes); // only checked where that is possible
std::vector<Color> colors_of(const LoadResult<scene::Image>& image);

} // namespace vitrine::test
