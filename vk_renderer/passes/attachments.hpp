#pragma once
// Dynamic rendering with one color and perhaps one depth image in GENERAL layout, cleared to transparent and
// to far.

#include "vk_renderer/gpu/image.hpp"

namespace vitrine::render {

struct Attachments {
    const Image* color = nullptr;
    const Image* depth =
        nullptr; // forgotten at the end; without one every texel is drawn and none need be cleared
};

// Begins rendering into the top left width x height texels, with viewport and scissor to match.
void begin_rendering(const Device& device, VkCommandBuffer commands, const Attachments& use,
                     std::uint32_t width, std::uint32_t height);

} // namespace vitrine::render
