#pragma once
// Colors for texels that nobody sees. Pure.

#include <cstdint>
#include <span>
#include <vector>

namespace vitrine::render {

// An sRGB image whose hidden texels have the color of what is shown near them, so that filters mix none of
// theirs into its edges: what painting programs leave there is white, black or anything. Alpha stays.
// `least_alpha`: what is shown has at least so much. Empty: nothing is hidden, or all. From coarse to fine as
// the pull of Gortler, Grzeszczuk, Szeliski and Cohen, "The Lumigraph" (1996).
std::vector<std::uint8_t> bleed(std::span<const std::uint8_t> pixels, std::uint32_t width,
                                std::uint32_t height, std::uint8_t least_alpha);

} // namespace vitrine::render
