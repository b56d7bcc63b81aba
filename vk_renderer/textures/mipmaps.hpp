#pragma once
// Computes mip maps on the host. Pure functions.

#include <cstdint>
#include <span>
#include <vector>

namespace vitrine::render {

// Halves the width and height (rounded down, at least 1) of an image of 8-bit RGBA: every texel is the mean
// of 2 x 2, with colors averaged in linear light if they are `srgb`. The last row or column of an odd side is
// dropped. Precondition: `out` has the resulting size; its content is not read.
void downsample(std::span<const std::uint8_t> pixels, std::uint32_t width, std::uint32_t height, bool srgb,
                std::span<std::uint8_t> out);

// Returns the levels below the first, concatenated, down to 1x1.
std::vector<std::uint8_t> mipmaps(std::span<const std::uint8_t> pixels, std::uint32_t width,
                                  std::uint32_t height, bool srgb);
// The same for an sRGB image, with colors weighted by alpha.
std::vector<std::uint8_t> blended_mipmaps(std::span<const std::uint8_t> pixels, std::uint32_t width,
                                          std::uint32_t height);

// downsample() for an alpha-tested sRGB image: alpha becomes the visible fraction, 255 for all, and colors
// are averaged over visible texels if there are any. `min_alpha`: minimum alpha of visible texels; 0: alpha
// already is a visible fraction.
void downsample_visible(std::span<const std::uint8_t> pixels, std::uint32_t width, std::uint32_t height,
                        std::uint8_t min_alpha, std::span<std::uint8_t> out);

} // namespace vitrine::render
