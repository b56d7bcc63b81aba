#pragma once
// Images of which a masked material shows a part: mip maps that show as much of it, and what they let of the
// light through. Pure.

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::render {

// The least alpha, of 255, that the material shows of its base color texture. 0: the texture decides
// nothing.
std::uint8_t min_visible_alpha(const scene::Material& material);

// What alpha says of a texture's other channels when its texels are mixed, for mip maps and filters.
struct AlphaFilter {
    std::uint8_t least = 0;     // > 0: less is not shown, and mip maps (fewer) show as much as the whole
    bool weights_color = false; // a color counts by its alpha

    bool any() const { return least > 0 || weights_color; }
    auto operator<=>(const AlphaFilter&) const = default;
};

// Of the base color textures of a scene, which must outlive it.
class AlphaFilters {
public:
    explicit AlphaFilters(const scene::Scene& scene) : scene_(&scene), seen_through_(scene.images.size()) {}
    AlphaFilter of(const scene::Material& material);
    // Some texel's alpha is below 255.
    bool has_transparency(std::uint32_t image);

private:
    const scene::Scene* scene_;
    std::vector<std::optional<bool>> seen_through_; // by image, once it has been looked at
};

// How many levels a cut-out image has: the smallest still has texels enough to show a share of itself.
std::uint32_t alpha_coverage_levels(std::uint32_t width, std::uint32_t height);

// The levels below the first, one after the other, of an sRGB image. In each the share of the surface with at
// least `least_alpha`, between texels too, is the first one's: alpha is spread where the mean would pass
// everywhere or nowhere.
std::vector<std::uint8_t> alpha_coverage_mipmaps(std::span<const std::uint8_t> pixels, std::uint32_t width,
                                                 std::uint32_t height, std::uint8_t least_alpha);

// Of the texels, those with at least `least_alpha`.
double visible_fraction(std::span<const std::uint8_t> pixels, std::uint8_t least_alpha);

// Alpha that is a share of what is shown (downsample_visible) to one that shows `share` of the whole.
void restore_alpha_coverage(std::span<std::uint8_t> pixels, std::uint32_t width, std::uint32_t height,
                            double share, std::uint8_t least_alpha);

} // namespace vitrine::render
