#pragma once
// A rendered image. Its pixels may share memory of the device that rendered it, which it may outlive: frames
// that are kept for long hold that memory.

#include <cstdint>

#include "loaders/scene/bounds/bounds.hpp"
#include "vk_renderer/base/pixels.hpp"
#include "vk_renderer/base/view.hpp"

namespace vitrine::render {

struct Frame {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    Pixels pixels; // RGBA, 8 bits, sRGB, straight alpha, top row first, no padding
    // Exact bounds of the displayed pose, scene space; empty with Options::single_use, unless they are drawn.
    scene::Aabb bounds;
    Framing framing{};           // over the clip, scene space
    std::uint32_t render_us = 0; // from submission to pixels in host memory; shared by all frames of a batch
};

} // namespace vitrine::render
