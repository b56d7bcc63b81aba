#pragma once
// What frames are drawn into. A layer holds the images of one frame in flight; they grow to the largest size
// asked for and are drawn into from their top left corner.

#include <vector>

#include "vk_renderer/gpu/commands.hpp"
#include "vk_renderer/gpu/image.hpp"
#include "vk_renderer/gpu/timeline.hpp"
#include "vk_renderer/shaders/shared.h"

namespace vitrine::render {

inline constexpr VkFormat color_format = VK_FORMAT_R8G8B8A8_SRGB; // blends and averages in linear light
inline constexpr VkFormat depth_format = VK_FORMAT_D32_SFLOAT;
inline constexpr VkFormat pixel_format = VK_FORMAT_R8G8B8A8_UNORM;
inline constexpr VkFormat heights_format = VK_FORMAT_R32_UINT; // every device has atomics on it
inline constexpr VkFormat shade_format = VK_FORMAT_R8G8B8A8_UNORM;
inline constexpr std::uint32_t shadow_size = shared::shadow_map_size;
inline constexpr std::uint32_t shade_size = shadow_size;

struct RenderTargets {
    Image color, depth;
    Image heights; // above the ground, see cast.comp
    Image blurred_horizontally, shade;
    Image pixels; // as the host will have them
};

class RenderTargetPool {
public:
    explicit RenderTargetPool(const Device& device) : device_(&device) {}

    // At least `layers` layers of at least this many pixels. New images go to GENERAL in `commands`, and in
    // those of the next call too until mark_initialized() says that commands with that were submitted.
    void ensure(VkCommandBuffer commands, Timeline& timeline, std::uint32_t width, std::uint32_t height,
                std::uint32_t layers);
    void mark_initialized() { settled_ = layers_.size(); }
    // Precondition: the device is through with them.
    void clear()
    {
        layers_.clear();
        settled_ = width_ = height_ = 0;
    }
    const RenderTargets& layer(std::uint32_t i) const { return layers_[i]; }
    // Samples along an axis of the images, and per texel.
    std::uint32_t scale() const { return device_->traits.samples_along(); }
    VkSampleCountFlagBits samples() const
    {
        return device_->traits.multisample() ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT;
    }

private:
    RenderTargets create() const;

    const Device* device_;
    std::uint32_t width_ = 0;
    std::uint32_t height_ = 0;
    std::vector<RenderTargets> layers_;
    std::size_t settled_ = 0; // the first of them are in GENERAL, or will be when the next commands run
};

} // namespace vitrine::render
