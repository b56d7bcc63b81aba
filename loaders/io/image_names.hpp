#pragma once
// Extensions of image files, lower case. What a file contains is decided by its bytes
// (loaders/images/image.hpp).

#include <array>
#include <string_view>

namespace vitrine::io {

// Of images that can be decoded; the most likely first, which is the order in which they are tried.
inline constexpr std::array<std::string_view, 13> image_extensions{".png", ".jpg",  ".jpeg", ".tga", ".webp",
                                                                   ".bmp", ".psd",  ".gif",  ".dds", ".pcx",
                                                                   ".tif", ".tiff", ".hdr"};

// Of images that cannot be decoded, which are usually converted to one of those above.
inline constexpr std::array<std::string_view, 19> undecodable_image_extensions{
    ".exr", ".tx",  ".rat", ".jp2", ".jpe", ".jfif", ".dib",  ".psb", ".xcf", ".sgi",
    ".rgb", ".iff", ".pic", ".pct", ".vtf", ".ktx",  ".ktx2", ".svg", ".avif"};

// Whether the name has one of image_extensions, in any case.
bool is_image_name(std::string_view name);
bool is_undecodable_image_name(std::string_view name);

} // namespace vitrine::io
