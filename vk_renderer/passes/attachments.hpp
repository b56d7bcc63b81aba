#pragma once
// Begins dynamic rendering with one color image and optionally one depth image, cleared to transparent and
// far: in the layouts of attachments with depth, in GENERAL without.

#include "vk_renderer/gpu/image.hpp"

namespace vitrine::render {

struct Attachments {
    const GpuImage* color = nullptr;
    const GpuImage* depth =
        nullptr; // discarded at the end; without depth every texel is drawn and nothing needs clearing
};

// Renders into the top left width x height texels, with matching viewport and scissor.
void begin_rendering(const Device& device, VkCommandBuffer commands, const Attachments& attachments,
                     std::uint32_t width, std::uint32_t height);

} // namespace vitrine::render
