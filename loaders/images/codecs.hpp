#pragma once
// The decoders used by decode_image(): a pair of functions per library or format. The image size is checked
// against the limits between the two calls. Internal to loaders/images.

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "loaders/io/input.hpp"

namespace vitrine::images {

struct ImageSize {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
};

inline std::uint64_t pixel_count(ImageSize size)
{
    return std::uint64_t{size.width} * size.height;
}

// The error is a reason that can be inserted into a sentence.
template <class T>
using DecodeResult = std::expected<T, std::string>;
using Pixels = std::vector<std::uint8_t>; // RGBA, top row first

template <class Header>
DecodeResult<ImageSize> size_of(const DecodeResult<Header>& header)
{
    if (!header) return std::unexpected(header.error());
    return header->size;
}

DecodeResult<ImageSize> stb_size(Bytes bytes);
DecodeResult<Pixels> stb_pixels(Bytes bytes, ImageSize size);

DecodeResult<ImageSize> gif_size(Bytes bytes);
DecodeResult<Pixels> gif_pixels(Bytes bytes, ImageSize size);

DecodeResult<ImageSize> jpeg_size(Bytes bytes);
DecodeResult<Pixels> jpeg_pixels(Bytes bytes, ImageSize size);

DecodeResult<ImageSize> png_size(Bytes bytes);

DecodeResult<ImageSize> tga_size(Bytes bytes);
DecodeResult<Pixels> tga_pixels(Bytes bytes, ImageSize size);

DecodeResult<ImageSize> bmp_size(Bytes bytes);
DecodeResult<Pixels> bmp_pixels(Bytes bytes, ImageSize size);

DecodeResult<ImageSize> psd_size(Bytes bytes);
DecodeResult<Pixels> psd_pixels(Bytes bytes, ImageSize size);

DecodeResult<ImageSize> webp_size(Bytes bytes);
DecodeResult<Pixels> webp_pixels(Bytes bytes, ImageSize size);

DecodeResult<ImageSize> tiff_size(Bytes bytes);
DecodeResult<Pixels> tiff_pixels(Bytes bytes, ImageSize size);

DecodeResult<ImageSize> pcx_size(Bytes bytes);
DecodeResult<Pixels> pcx_pixels(Bytes bytes, ImageSize size);

DecodeResult<ImageSize> hdr_size(Bytes bytes);
DecodeResult<Pixels> hdr_pixels(Bytes bytes, ImageSize size);

DecodeResult<ImageSize> dds_size(Bytes bytes);
DecodeResult<Pixels> dds_pixels(Bytes bytes, ImageSize size);

} // namespace vitrine::images
