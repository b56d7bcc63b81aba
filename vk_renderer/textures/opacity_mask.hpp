#pragma once
// How much light each part of a texture stops, as coarse as the map of the shadow. Pure.

#include <array>
#include <cstdint>
#include <vector>

#include "loaders/scene/scene.hpp"
#include "vk_renderer/shaders/shared.h"

namespace vitrine::render {

class OpacityMask {
public:
    static constexpr std::uint32_t size = shared::opacity_mask_size;

    // Of what has no texture: it stops all.
    OpacityMask();
    // A texel stops light by its alpha, or with `least_alpha` > 0 wholly from that on and else not at all.
    // Precondition: the image has pixels.
    OpacityMask(const scene::Image& image, std::uint8_t least_alpha);

    // Row by row, 255: all light.
    const std::vector<std::uint8_t>& texels() const { return texels_; }

    enum class Part : std::uint8_t { none, some, all };
    // Of the light that falls on these coordinates of the texture, wrapped as it says.
    Part opacity_over(glm::vec2 low, glm::vec2 high, const scene::Texture& texture) const;

private:
    void add_up();

    std::vector<std::uint8_t> texels_;
    std::vector<std::uint32_t> sums_; // over all texels left of and above a corner; size + 1 along each side
};

} // namespace vitrine::render
