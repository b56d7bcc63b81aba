#pragma once
// Fills the colors of invisible texels. Pure functions.

#include <cstdint>
#include <span>
#include <vector>

namespace vitrine::render {

// Returns an sRGB image whose hidden texels have the color of nearby visible ones, so that filters do not mix
// arbitrary colors (which image editors store there) into edges. Alpha is unchanged. `min_alpha`: minimum
// alpha of visible texels. Empty: no texel is hidden, or all are. Push-pull from coarse to fine as in
// Gortler, Grzeszczuk, Szeliski and Cohen, "The Lumigraph" (1996).
std::vector<std::uint8_t> bleed(std::span<const std::uint8_t> pixels, std::uint32_t width,
                                std::uint32_t height, std::uint8_t min_alpha);

} // namespace vitrine::render
