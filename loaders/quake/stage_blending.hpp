#pragma once
// Converts images for Quake III's blend modes, which materials lack, to equivalent alpha.

#include <array>
#include <cstdint>
#include <span>

#include "loaders/quake/shader_appearance.hpp"

namespace vitrine::quake {

// Returns whether a material cannot use the image unmodified.
bool needs_alpha_conversion(StageBlend blend, AlphaTest test);

// Returns the mean of RGBA pixels: the appearance of a reflecting surface from a distance.
std::array<std::uint8_t, 4> mean_color(std::span<const std::uint8_t> pixels);

// Sets the alpha of RGBA pixels. For additive light the brightest channel becomes the alpha, so that black is
// transparent; for darkening, the color becomes black with an equal effect.
void set_alpha(std::span<std::uint8_t> pixels, StageBlend blend, AlphaTest test);

} // namespace vitrine::quake
