#pragma once
// The decoders used by decode_image(): a pair of functions per library or format. The image size is checked
// against the limits between the two calls. Internal to loaders/images.

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "loaders/io/input.hpp"

namespace vitrine::images {

struct Size {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
};

inline std::uint64_t pixel_count(Size size)
{
    return std::uint64_t{size.width} * size.height;
}

// The error is a reason that can be inserted into a sentence.
template <class T>
using Decoded = std::expected<T, std::string>;
using Pixels = std::vector<std::uint8_t>; // RGBA, top row first

Decoded<Size> stb_size(Bytes bytes);
Decoded<Pixels> stb_pixels(Bytes bytes, Size size);

Decoded<Size> gif_size(Bytes bytes);
Decoded<Pixels> gif_pixels(Bytes bytes, Size size);

Decoded<Size> jpeg_size(Bytes bytes);
Decoded<Pixels> jpeg_pixels(Bytes bytes, Size size);

Decoded<Size> png_size(Bytes bytes);

Decoded<Size> tga_size(Bytes bytes);
Decoded<Pixels> tga_pixels(Bytes bytes, Size size);

Decoded<Size> bmp_size(Bytes bytes);
Decoded<Pixels> bmp_pixels(Bytes bytes, Size size);

Decoded<Size> psd_size(Bytes bytes);
Decoded<Pixels> psd_pixels(Bytes bytes, Size size);

Decoded<Size> webp_size(Bytes bytes);
Decoded<Pixels> webp_pixels(Bytes bytes, Size size);

Decoded<Size> tiff_size(Bytes bytes);
Decoded<Pixels> tiff_pixels(Bytes bytes, Size size);

Decoded<Size> pcx_size(Bytes bytes);
Decoded<Pixels> pcx_pixels(Bytes bytes, Size size);

Decoded<Size> hdr_size(Bytes bytes);
Decoded<Pixels> hdr_pixels(Bytes bytes, Size size);

Decoded<Size> dds_size(Bytes bytes);
Decoded<Pixels> dds_pixels(Bytes bytes, Size size);

} // namespace vitrine::images
