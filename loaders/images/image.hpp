#pragma once
// Encoded image -> RGBA pixels: PNG, JPEG, TGA, BMP, PSD, GIF (first frame), WebP, PCX, TIFF (first page),
// DDS (largest mipmap of the first face and slice), HDR. The one door to the image libraries. What an image
// is, its bytes say; the name decides only where the bytes cannot (TGA).

#include <cstdint>
#include <string_view>

#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::images {

enum class Kind : std::uint8_t {
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
    // Known by their signatures and not read.
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

Kind detect_kind(Bytes bytes, std::string_view name);
std::string_view to_string(Kind kind);    // "PNG", "KTX2", ...
std::string_view with_article(Kind kind); // "a PNG", "an OpenEXR", ...

// Width times height as the header says; 0 where it cannot be read.
std::uint64_t count_pixels(Bytes bytes, std::string_view name);

// 16-bit and grey images become RGBA with 8 bits; straight alpha; top row first; no color conversion but of
// HDR (gamma 2.2, clipped at 1).
// Width times height is compared with Limits::image_pixels before a pixel is decoded.
// Errors: unsupported (nothing decodes this kind, the sentence names it), unknown_format, malformed,
// limit_exceeded. `where` is the name.
LoadResult<scene::Image> decode_image(Bytes bytes, std::string_view name, const Limits& limits);

} // namespace vitrine::images
