#pragma once
// Sizes of a batch and its parts, in bytes unless stated otherwise.

#include "vk_renderer/frame/batch_slot.hpp"

namespace vitrine::render {

inline constexpr VkDeviceSize max_target_bytes = 192u
                                                 << 20; // of all color targets; also of all skinned vertices
inline constexpr VkDeviceSize max_readback_bytes = 64u
                                                   << 20; // of the pixels in host memory, per slot in flight
inline constexpr VkDeviceSize vertex_bytes = 16;          // per skinned vertex
inline constexpr VkDeviceSize tangent_bytes = 4;
inline constexpr VkDeviceSize dqs_entry_bytes = 80; // of PoseEvaluator::dqs_palettes

// Rounds up to a multiple of every device's minimum offset alignment.
inline VkDeviceSize aligned(VkDeviceSize value)
{
    constexpr VkDeviceSize alignment = 256;
    return (value + alignment - 1) / alignment * alignment;
}

// Of one model over its motion, in meters.
inline float model_radius(const BatchImage& image, const shared::ImageParams& params)
{
    return image.model.empty() ? params.center.w : std::max(0.5f * glm::length(image.model.size()), 1e-12f);
}

inline VkDeviceSize pixel_bytes(const View& view)
{
    return VkDeviceSize{view.width} * view.height * 4;
}

} // namespace vitrine::render
