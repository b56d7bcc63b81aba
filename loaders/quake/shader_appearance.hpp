#pragma once
// The appearance of a Quake III shader or Doom 3 material, as far as a material of the Scene can represent
// it.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "loaders/scene/scene.hpp"

namespace vitrine::quake {

// How a stage is blended over the previous ones; `under` below.
enum class StageBlend : std::uint8_t {
    none,
    alpha,
    add,       // under + color
    add_alpha, // under + color * alpha
    filter,    // under * color
    darken,    // under * (1 - color)
};

// The alpha test of a stage.
enum class AlphaTest : std::uint8_t { none, above_zero, below_half, from_half };

struct ShaderAppearance {
    std::string picture; // of the most significant stage: preferably not a reflection or glow
    std::string editor_picture;
    std::string normal_picture; // Doom 3's bumpmap
    StageBlend blend = StageBlend::none;
    AlphaTest alpha_test = AlphaTest::none;
    bool clamps = false;        // clamped texture addressing
    bool is_reflection = false; // the image is an environment reflection without UV mapping
    bool is_hidden = false;     // never drawn
    bool is_plain = false;      // its stages have no image, not even one with the shader's name
    bool is_sprite = false;     // every four vertices are a camera-facing sprite with the whole image
    std::size_t left_out = 0;   // number of further images, of stages that are not shown

    // Otherwise the surface has no texture, or is not drawn.
    bool names_picture() const { return !picture.empty() || !editor_picture.empty(); }
};

// Sets the alpha mode of a material with the shader's image (see set_alpha() of stage_blending.hpp).
void set_alpha_mode(const ShaderAppearance& appearance, scene::Material& material);

// Parses the text between the braces of a definition. Never fails; linear time.
ShaderAppearance parse_shader(std::string_view body);

} // namespace vitrine::quake
