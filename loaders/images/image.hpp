#pragma once
// Decodes images to RGBA pixels: PNG, JPEG, TGA, BMP, PSD, GIF (first frame), WebP, PCX, TIFF (first page),
// DDS (largest mipmap of the first face and slice), HDR. The only interface to the image libraries. The bytes
// determine the format; the name is used only where the bytes do not (TGA).

#include <cstdint>
#include <string>
#include <string_view>

#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::images {

enum class ImageFileKind : std::uint8_t {
    unknown,
    png,
    jpeg,
    tga,
    bmp,
    psd,
    gif,
    webp,
    ktx,
    ktx2,
    dds,
    basis,
    hdr,
    pcx,
    tiff,
    // Recognized by their signatures but not supported.
    exr,
    avif,
    heic,
    jpeg2000,
    jpeg_xl,
    jpeg_xr,
    svg,
    qoi,
    xcf,
    vtf,
    astc,
    pvr,
};

ImageFileKind detect_kind(Bytes bytes, std::string_view name);
std::string_view to_string(ImageFileKind kind);    // "PNG", "KTX2", ...
std::string_view with_article(ImageFileKind kind); // "a PNG", "an OpenEXR", ...

struct ImageSize {
    std::uint32_t width = 0;
    std::uint32_t height = 0;

    bool operator==(const ImageSize&) const = default;
};

inline std::uint64_t pixel_count(ImageSize size)
{
    return std::uint64_t{size.width} * size.height;
}

// As declared by the header; 0 x 0 if it cannot be read.
ImageSize read_size(Bytes bytes, std::string_view name);

// 16-bit and gray images become RGBA with 8 bits; straight alpha; top row first; no color conversion except
// for HDR (gamma 2.2, clipped at 1). Width times height is compared with Limits::image_pixels before any
// pixel is decoded. Errors: unsupported (no decoder for this format, which the message names),
// unknown_format, malformed, limit_exceeded. `where` is the name.
LoadResult<scene::Image> decode_image(Bytes bytes, std::string_view name, const Limits& limits);

// As decode_image, but an image of more than `max_pixels` or Limits::image_pixels is reduced to at most that:
// each pixel of the result is the mean of factor x factor pixels, the factor is the smallest power of two,
// and sides are rounded up. Channels are averaged as stored, without conversion to linear light, because it
// is not known here whether the image is a color or data, and because the JPEG and WebP libraries do the
// same. Fails with limit_exceeded if that is less than min_reduced_pixels, for files of more than
// max_file_ratio times image_pixels and, in formats that are decoded as a whole (README.md), max_whole_ratio
// times.
// With PixelUse::check, an image of at most `max_pixels` whose file proves to be opaque before it is decoded
// has no pixels but Image::is_checked; its errors are the same.
enum class PixelUse : std::uint8_t { keep, check };
LoadResult<scene::Image> decode_reduced(Bytes bytes, std::string_view name, const Limits& limits,
                                        std::uint64_t max_pixels, PixelUse use = PixelUse::keep);
inline constexpr std::uint64_t max_file_ratio = 16;
inline constexpr std::uint64_t max_whole_ratio = 4;
inline constexpr std::uint64_t min_reduced_pixels = 4'096; // 64 x 64

// Returns the text of a warning about an image that cannot be used: "the image 'a.avif' cannot be used:
// REASON". `name`: file, or name in the model; may be empty.
std::string unusable_image_message(std::string_view name, std::string_view reason);

} // namespace vitrine::images
