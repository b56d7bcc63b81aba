#pragma once
// Images that frames are rendered into. A RenderTargets holds the images of one frame in flight; they grow to
// the largest size requested and are used from their top left corner.

#include <vector>

#include "vk_renderer/gpu/commands.hpp"
#include "vk_renderer/gpu/image.hpp"
#include "vk_renderer/gpu/timeline.hpp"
#include "vk_renderer/shaders/shared.h"

namespace vitrine::render {

inline constexpr VkFormat color_format = VK_FORMAT_R8G8B8A8_SRGB; // blends and averages in linear light
inline constexpr VkFormat depth_format = VK_FORMAT_D32_SFLOAT;
inline constexpr VkFormat pixel_format = VK_FORMAT_R8G8B8A8_UNORM;
inline constexpr VkFormat shadow_height_format = VK_FORMAT_R32_UINT;   // supports atomics on every device
inline constexpr VkFormat horizontal_blur_format = VK_FORMAT_R32_UINT; // two texels, see shadow_blur.comp
inline constexpr VkFormat blurred_shadow_format = VK_FORMAT_R8G8B8A8_UNORM;
inline constexpr std::uint32_t shadow_size = shared::shadow_map_size;
inline constexpr std::uint32_t blurred_shadow_size = shadow_size;

// Colors are attachments while they are drawn and read-only afterwards, depth is always an attachment, the
// others are in GENERAL.
struct RenderTargets {
    GpuImage color, depth;
    GpuImage shadow_heights; // above the ground, see shadow_cast.comp
    GpuImage blurred_horizontally, blurred_shadow;
    GpuImage pixels; // final pixels for the host; empty if a compute shader writes them to a buffer
};

class RenderTargetPool {
public:
    explicit RenderTargetPool(const Device& device) : device_(&device) {}

    // Provides at least `targets` targets of at least this many pixels. New images are transitioned to their
    // layouts in `commands`, and again in the next call until mark_initialized() confirms that such commands
    // were submitted.
    void ensure(VkCommandBuffer commands, Timeline& timeline, std::uint32_t width, std::uint32_t height,
                std::uint32_t targets);
    void mark_initialized() { initialized_count_ = targets_.size(); }
    // Before the first `count` targets are drawn, after earlier commands have read them: their colors become
    // attachments, without contents.
    void begin_colors(VkCommandBuffer commands, std::size_t count) const;
    // Before shaders read what was drawn into them: a memory barrier too.
    void end_colors(VkCommandBuffer commands, std::size_t count, SyncScope from, SyncScope to) const;
    // Precondition: the device has finished using them.
    void clear()
    {
        targets_.clear();
        initialized_count_ = width_ = height_ = 0;
    }
    const RenderTargets& target(std::uint32_t i) const { return targets_[i]; }
    // Samples per pixel along an axis of the images.
    std::uint32_t scale() const { return device_->traits.samples_along(); }
    VkSampleCountFlagBits samples() const
    {
        return device_->traits.multisample() ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT;
    }

private:
    RenderTargets create() const;
    void change_colors(VkCommandBuffer commands, std::size_t count, SyncScope from, SyncScope to,
                       VkImageLayout from_layout, VkImageLayout to_layout) const;

    const Device* device_;
    std::uint32_t width_ = 0;
    std::uint32_t height_ = 0;
    std::vector<RenderTargets> targets_;
    // So many are in their layouts, or will be when the next commands run.
    std::size_t initialized_count_ = 0;
};

} // namespace vitrine::render
