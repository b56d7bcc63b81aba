#pragma once
// A rendered image.

#include <cstdint>
#include <vector>

#include "loaders/scene/bounds/bounds.hpp"
#include "vk_renderer/base/view.hpp"

namespace vitrine::render {

// RGBA, 8 bits, sRGB, straight alpha, top row first, no padding.
struct Frame {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<std::uint8_t> pixels;
    // Exact bounds of the displayed pose, scene space; empty with Options::single_use, unless they are drawn.
    scene::Aabb bounds;
    Framing framing{};           // over the clip, scene space
    std::uint32_t render_us = 0; // from submission to pixels in host memory; shared by all frames of a batch
};

} // namespace vitrine::render
