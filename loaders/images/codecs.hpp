#pragma once
// The decoders used by decode_image(): functions per library or format. The image size is checked against the
// limits between the calls. Internal to loaders/images.

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "loaders/images/image.hpp"
#include "loaders/io/input.hpp"

namespace vitrine::images {

// The error is a reason that can be inserted into a sentence.
template <class T>
using DecodeResult = std::expected<T, std::string>;
using PixelBytes = std::vector<std::uint8_t>; // RGBA, top row first

template <class Header>
DecodeResult<ImageSize> size_of(const DecodeResult<Header>& header)
{
    if (!header) return std::unexpected(header.error());
    return header->size;
}

// How much smaller an image is decoded than the file stores it (reduction.hpp).
struct Reduction {
    std::uint32_t factor = 1;           // a power of two; 1: not reduced
    std::uint64_t max_whole_pixels = 0; // of a file that has to be decoded as a whole
};

// What a check found out about the pixels of a valid image without storing them. `unknown`: it has to be
// decoded.
enum class Opacity : std::uint8_t { opaque, unknown };

DecodeResult<ImageSize> stb_size(Bytes bytes);
DecodeResult<PixelBytes> stb_pixels(Bytes bytes, ImageSize size);

DecodeResult<ImageSize> gif_size(Bytes bytes);
DecodeResult<PixelBytes> gif_pixels(Bytes bytes, ImageSize size);

DecodeResult<ImageSize> jpeg_size(Bytes bytes);
DecodeResult<PixelBytes> jpeg_pixels(Bytes bytes, ImageSize size);
DecodeResult<Opacity> jpeg_check(Bytes bytes, ImageSize size);
DecodeResult<PixelBytes> jpeg_reduced(Bytes bytes, ImageSize size, const Reduction& reduction);

DecodeResult<ImageSize> png_size(Bytes bytes);
DecodeResult<PixelBytes> png_pixels(Bytes bytes, ImageSize size);
DecodeResult<Opacity> png_check(Bytes bytes, ImageSize size);
DecodeResult<PixelBytes> png_reduced(Bytes bytes, ImageSize size, const Reduction& reduction);

DecodeResult<ImageSize> tga_size(Bytes bytes);
DecodeResult<PixelBytes> tga_pixels(Bytes bytes, ImageSize size);
DecodeResult<Opacity> tga_check(Bytes bytes, ImageSize size);

DecodeResult<ImageSize> bmp_size(Bytes bytes);
DecodeResult<PixelBytes> bmp_pixels(Bytes bytes, ImageSize size);

DecodeResult<ImageSize> psd_size(Bytes bytes);
DecodeResult<PixelBytes> psd_pixels(Bytes bytes, ImageSize size);

DecodeResult<ImageSize> webp_size(Bytes bytes);
DecodeResult<PixelBytes> webp_pixels(Bytes bytes, ImageSize size);
DecodeResult<PixelBytes> webp_reduced(Bytes bytes, ImageSize size, const Reduction& reduction);

DecodeResult<ImageSize> tiff_size(Bytes bytes);
DecodeResult<PixelBytes> tiff_pixels(Bytes bytes, ImageSize size);
DecodeResult<PixelBytes> tiff_reduced(Bytes bytes, ImageSize size, const Reduction& reduction);

DecodeResult<ImageSize> pcx_size(Bytes bytes);
DecodeResult<PixelBytes> pcx_pixels(Bytes bytes, ImageSize size);

DecodeResult<ImageSize> hdr_size(Bytes bytes);
DecodeResult<PixelBytes> hdr_pixels(Bytes bytes, ImageSize size);

DecodeResult<ImageSize> dds_size(Bytes bytes);
DecodeResult<PixelBytes> dds_pixels(Bytes bytes, ImageSize size);
DecodeResult<PixelBytes> dds_reduced(Bytes bytes, ImageSize size, const Reduction& reduction);

} // namespace vitrine::images
