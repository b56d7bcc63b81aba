#pragma once
// Dynamic rendering with one colour and one depth image in GENERAL layout, both cleared.

#include "vk_renderer/gpu/image.hpp"

namespace vitrine::render {

struct Attachments {
    const Image* colour = nullptr; // none: depth only
    const Image* depth = nullptr;
    VkClearColorValue clear_colour{};
    float clear_depth = 0.0f;
    bool keep_depth = false;
};

// Begins rendering into the top left width x height texels, with viewport and scissor to match.
void begin_rendering(const Device& device, VkCommandBuffer commands, const Attachments& use,
                     std::uint32_t width, std::uint32_t height);

} // namespace vitrine::render
