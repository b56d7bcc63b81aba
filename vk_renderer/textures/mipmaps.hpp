#pragma once
// Smaller pictures of pictures, on the host. Pure.

#include <cstdint>
#include <span>
#include <vector>

namespace vitrine::render {

// Half the width and height (rounded down, at least 1) of RGBA with 8 bits each: every texel the mean of two
// by two, the colors in linear light where they are `srgb`. Where a side is odd its last row or column is
// left out. Precondition: `out` has the size of that; nothing of it is read.
void downsample(std::span<const std::uint8_t> pixels, std::uint32_t width, std::uint32_t height, bool srgb,
                std::span<std::uint8_t> out);

// The levels below the first, one after the other, down to 1x1.
std::vector<std::uint8_t> mipmaps(std::span<const std::uint8_t> pixels, std::uint32_t width,
                                  std::uint32_t height, bool srgb);
// The same of an sRGB image whose colors count by their alpha.
std::vector<std::uint8_t> blended_mipmaps(std::span<const std::uint8_t> pixels, std::uint32_t width,
                                          std::uint32_t height);

// The same as downsample of a cut-out sRGB image: alpha becomes the share of what is shown, 255 all of it,
// and the colors those of what is shown where anything is. `least_alpha`: what is shown has at least so
// much; 0: alpha is such a share already.
void downsample_visible(std::span<const std::uint8_t> pixels, std::uint32_t width, std::uint32_t height,
                        std::uint8_t least_alpha, std::span<std::uint8_t> out);

} // namespace vitrine::render
