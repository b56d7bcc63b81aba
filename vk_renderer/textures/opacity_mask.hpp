#pragma once
// The light blocked by each part of a texture, at the resolution of the shadow map. Pure functions.

#include <array>
#include <cstdint>
#include <vector>

#include "loaders/scene/scene.hpp"
#include "vk_renderer/shaders/shared.h"

namespace vitrine::render {

class OpacityMask {
public:
    static constexpr std::uint32_t size = shared::opacity_mask_size;

    // Without a texture: blocks all light.
    OpacityMask();
    // A texel blocks light by its alpha; with `min_alpha` > 0, entirely if its alpha is at least that,
    // otherwise not at all. Precondition: the image has pixels.
    OpacityMask(const scene::Image& image, std::uint8_t min_alpha);

    // Row by row; 255: all light is blocked.
    const std::vector<std::uint8_t>& texels() const { return texels_; }

    enum class Coverage : std::uint8_t { none, some, all };
    // Whether none, some or all of the light is blocked in this range of texture coordinates, with the
    // texture's wrap modes.
    Coverage coverage_over(glm::vec2 low, glm::vec2 high, const scene::Texture& texture) const;

private:
    void add_up();

    std::vector<std::uint8_t> texels_;
    // Summed-area table: sums over all texels left of and above a corner; size + 1 per side.
    std::vector<std::uint32_t> sums_;
};

} // namespace vitrine::render
