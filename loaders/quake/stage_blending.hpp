#pragma once
// Pictures that are laid over what lies under them as only Quake III's stages can: said again by their alpha.

#include <array>
#include <cstdint>
#include <span>

#include "loaders/quake/shader_appearance.hpp"

namespace vitrine::quake {

// Whether a material says it by its picture as it is.
bool needs_alpha_conversion(StageBlend blend, AlphaTest test);

// The mean of RGBA pixels: what a surface that reflects a picture looks like from afar.
std::array<std::uint8_t, 4> mean_color(std::span<const std::uint8_t> pixels);

// RGBA pixels. Of light that is added the brightest channel becomes the alpha, so that black lets through
// what lies under it; what darkens becomes black that covers as much.
void set_alpha(std::span<std::uint8_t> pixels, StageBlend blend, AlphaTest test);

} // namespace vitrine::quake
