#pragma once
// The opacity of a surface from <transparent> and <transparency>, as the 1.4.1 specification defines it
// ("Determining transparency") and as deviating programs intended it.

#include <string_view>

#include "loaders/dae/materials/effect.hpp"

namespace vitrine::dae {

enum class TransparencyMode : std::uint8_t {
    as_specified,
    zero_is_opaque, // an amount of 0, which would be invisible, is opaque; others are as specified
    inverted,       // the amount is the transparency, not the opacity
    rgb_zero,       // color times amount is the transparency, declared or not
};

// Selects the mode by names and versions of the authoring tools (authoring_tool.hpp).
TransparencyMode transparency_mode(std::string_view programs);

// Converts the numeric values of `effect` to the specification's definition.
void normalize_transparency(Effect& effect, TransparencyMode count);

// Returns the opacity, 0 .. 1. A texture counts as fully opaque.
float opacity_of(const Effect& effect);

// Returns an image whose alpha is the opacity of `from` combined with effect.transparency.
scene::Image opacity_mask(const scene::Image& from, const Effect& effect);

} // namespace vitrine::dae
