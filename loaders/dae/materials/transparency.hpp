#pragma once
// How much of a surface is left: <transparent> and <transparency>, as the 1.4.1 specification has it
// ("Determining transparency") and as the programs mean it that wrote something else.

#include <string_view>

#include "loaders/dae/materials/effect.hpp"

namespace vitrine::dae {

enum class TransparencyMode : std::uint8_t {
    as_specified,
    zero_is_opaque, // an amount of 0, which would show nothing, is 1; others are as specified
    inverted,       // an amount is how much is missing
    rgb_zero,       // a color by an amount is what is missing, said or not
};

// By the authoring tools' names and versions (program.hpp).
TransparencyMode transparency_mode(std::string_view programs);

// What `effect` says by its numbers, brought to the specification's way of counting.
void normalize_transparency(Effect& effect, TransparencyMode count);

// 0 .. 1. A picture counts as one that hides nothing of the surface.
float opacity_of(const Effect& effect);

// A picture whose alpha is the opacity that `from` gives with effect.transparency.
scene::Image opacity_mask(const scene::Image& from, const Effect& effect);

} // namespace vitrine::dae
