#pragma once
// Converts images for Quake III's blend modes, which materials lack, to equivalent alpha.

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <unordered_map>

#include "loaders/images/texture_library.hpp"
#include "loaders/quake/shader_scripts.hpp"

namespace vitrine::quake {

// Returns whether a material cannot use the image unmodified.
bool needs_alpha_conversion(StageBlend blend, AlphaTest test);

// Returns the mean of RGBA pixels: the appearance of a reflecting surface from a distance.
std::array<std::uint8_t, 4> mean_color(std::span<const std::uint8_t> pixels);

// Sets the alpha of RGBA pixels. For additive light the brightest channel becomes the alpha, so that black is
// transparent; for darkening, the color becomes black with an equal effect.
void set_alpha(std::span<std::uint8_t> pixels, StageBlend blend, AlphaTest test);

// The images of a library as shaders use them.
class StageImages {
public:
    // The library must outlive it.
    explicit StageImages(images::TextureLibrary& textures) : textures_(textures) {}

    // Returns the image converted for the shader; unchanged when the image limit is reached.
    std::uint32_t convert(std::uint32_t image, const ShaderAppearance& appearance);
    // Returns the lowest alpha of the image's pixels. Computed once per image.
    std::uint8_t min_alpha(std::uint32_t image);

private:
    images::TextureLibrary& textures_;
    // By the image that the shader names.
    std::map<std::tuple<std::uint32_t, StageBlend, AlphaTest, bool>, std::uint32_t> converted_;
    std::unordered_map<std::uint32_t, std::uint8_t> min_alpha_; // by image
};

} // namespace vitrine::quake
