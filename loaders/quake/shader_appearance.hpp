#pragma once
// What a shader of Quake III, or a material of Doom 3, looks like as far as a material of the Scene can say
// it.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "loaders/scene/scene.hpp"

namespace vitrine::quake {

// How a stage is laid over what is drawn already; `under` below.
enum class StageBlend : std::uint8_t {
    none,
    alpha,
    add,       // under + color
    add_alpha, // under + color * alpha
    filter,    // under * color
    darken,    // under * (1 - color)
};

// Which alpha a stage draws.
enum class AlphaTest : std::uint8_t { none, above_zero, below_half, from_half };

struct ShaderAppearance {
    std::string picture; // of the stage that tells most: no reflection, no glow where there is another
    std::string editor_picture;
    std::string normal_picture; // Doom 3's bumpmap
    StageBlend blend = StageBlend::none;
    AlphaTest alpha_test = AlphaTest::none;
    bool clamps = false;        // the picture does not repeat
    bool is_reflection = false; // the picture is of what the surface reflects: it lies nowhere on it
    bool is_hidden = false;     // never drawn
    bool is_plain = false;      // its stages have no picture, not even one of the shader's name
    bool is_sprite = false;     // each four vertices turn to the eye and show the whole picture
    std::size_t left_out = 0;   // other pictures, of stages that are not shown

    // Otherwise it is a plain surface, or none.
    bool names_picture() const { return !picture.empty() || !editor_picture.empty(); }
};

// The alpha of a material that wears its picture (set_alpha() of stage_blending.hpp).
void set_alpha_mode(const ShaderAppearance& appearance, scene::Material& material);

// `body` is what stands between the braces of its definition. Whatever it is, something comes back; linear.
ShaderAppearance parse_shader(std::string_view body);

} // namespace vitrine::quake
