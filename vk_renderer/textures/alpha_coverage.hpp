#pragma once
// Processes the images of masked materials: mip maps that preserve alpha coverage, and the light that passes
// through. Pure functions.

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::render {

// Returns the minimum alpha, of 255, at which the material's base color texture is visible. 0: visibility
// does not depend on the texture.
std::uint8_t min_visible_alpha(const scene::Material& material);

// How alpha affects the averaging of a texture's texels for mip maps and filters.
struct AlphaFilter {
    // > 0: texels with less alpha are invisible, and the (fewer) mip maps preserve coverage.
    std::uint8_t min_alpha = 0;
    bool weights_color = false; // colors are weighted by alpha

    bool any() const { return min_alpha > 0 || weights_color; }
    auto operator<=>(const AlphaFilter&) const = default;
};

// The filters of a scene's base color textures; the scene must outlive the object.
class AlphaFilters {
public:
    explicit AlphaFilters(const scene::Scene& scene) : scene_(&scene), seen_through_(scene.images.size()) {}
    AlphaFilter of(const scene::Material& material);
    // Whether any texel's alpha is below 255.
    bool has_transparency(std::uint32_t image);

private:
    const scene::Scene* scene_;
    std::vector<std::optional<bool>> seen_through_; // by image, computed on first use
};

// Returns the number of mip levels of an alpha-tested image: the smallest has enough texels to represent its
// coverage.
std::uint32_t alpha_coverage_levels(std::uint32_t width, std::uint32_t height);

// Returns the levels below the first, concatenated, of an sRGB image. Each level has the first level's
// fraction of the surface with at least `min_alpha`, including interpolated points: alpha is dithered where
// the average would be entirely visible or invisible.
std::vector<std::uint8_t> alpha_coverage_mipmaps(std::span<const std::uint8_t> pixels, std::uint32_t width,
                                                 std::uint32_t height, std::uint8_t min_alpha);

// Fraction of texels with at least `min_alpha`.
double visible_fraction(std::span<const std::uint8_t> pixels, std::uint8_t min_alpha);

// Converts alpha that is a visible fraction (downsample_visible) to alpha whose coverage is `fraction`.
void restore_alpha_coverage(std::span<std::uint8_t> pixels, std::uint32_t width, std::uint32_t height,
                            double fraction, std::uint8_t min_alpha);

} // namespace vitrine::render
