#include "vk_renderer/passes/render_targets.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace vitrine::render {

void RenderTargetPool::ensure(VkCommandBuffer commands, Timeline& timeline, std::uint32_t width,
                              std::uint32_t height, std::uint32_t targets)
{
    const std::uint64_t requested_area = std::uint64_t{width} * height;
    const std::uint64_t current_area = std::uint64_t{width_} * height_;
    // One very large image must not keep its memory permanently.
    constexpr std::uint64_t max_shrink_ratio = 16;
    if (width > width_ || height > height_ || current_area > requested_area * max_shrink_ratio) {
        timeline.defer_destroy(std::exchange(targets_, {}));
        initialized_count_ = 0;
        const bool grow = current_area <= requested_area * max_shrink_ratio;
        width_ = grow ? std::max(width, width_) : width;
        height_ = grow ? std::max(height, height_) : height;
        if (std::uint64_t{width_} * height_ > requested_area * max_shrink_ratio)
            width_ = width, height_ = height;
    }
    try {
        while (targets_.size() < targets)
            targets_.push_back(create());
    } catch (...) {
        if (targets_.empty()) width_ = height_ = 0; // a smaller image may still fit
        throw;
    }
    for (const auto& target : std::span(targets_).subspan(initialized_count_)) {
        for (const auto* image :
             {&target.shadow_heights, &target.blurred_horizontally, &target.blurred_shadow, &target.pixels})
            if (*image) transition_undefined(*device_, commands, *image, everything);
        transition_undefined(*device_, commands, target.depth, everything,
                             VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL);
    }
}

void RenderTargetPool::change_colors(VkCommandBuffer commands, std::size_t count, SyncScope from,
                                     SyncScope to, VkImageLayout from_layout, VkImageLayout to_layout) const
{
    std::array<LayoutChange, max_layout_changes> changes{};
    for (std::size_t i = 0; i < count; ++i)
        changes[i] = {&targets_[i].color, from_layout, to_layout};
    image_barrier(*device_, commands, from, to, std::span(changes).first(count));
}

void RenderTargetPool::begin_colors(VkCommandBuffer commands, std::size_t count) const
{
    change_colors(commands, count, raster_read | compute | transfer, everything, VK_IMAGE_LAYOUT_UNDEFINED,
                  VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
}

void RenderTargetPool::end_colors(VkCommandBuffer commands, std::size_t count, SyncScope from,
                                  SyncScope to) const
{
    change_colors(commands, count, from, to, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                  VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
}

RenderTargets RenderTargetPool::create() const
{
    const auto w = width_ * scale();
    const auto h = height_ * scale();
    constexpr VkImageUsageFlags sampled = VK_IMAGE_USAGE_SAMPLED_BIT;
    return {
        .color = {*device_,
                  {color_format, w, h, 1, samples(), VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | sampled},
                  "color"},
        .depth = {*device_,
                  {depth_format, w, h, 1, samples(), VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT},
                  "depth"},
        .shadow_heights = {*device_,
                           {shadow_height_format, shadow_size, shadow_size, 1, VK_SAMPLE_COUNT_1_BIT,
                            VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT},
                           "shadow heights"},
        .blurred_horizontally = {*device_,
                                 {horizontal_blur_format, blurred_shadow_size / 2, blurred_shadow_size, 1,
                                  VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_USAGE_STORAGE_BIT},
                                 "horizontally blurred shadow"},
        .blurred_shadow = {*device_,
                           {blurred_shadow_format, blurred_shadow_size, blurred_shadow_size, 1,
                            VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_USAGE_STORAGE_BIT | sampled},
                           "shadow"},
        .pixels = device_->traits.resolves_in_compute()
                      ? GpuImage()
                      : GpuImage(*device_,
                                 {pixel_format, width_, height_, 1, VK_SAMPLE_COUNT_1_BIT,
                                  VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT},
                                 "pixels"),
    };
}

} // namespace vitrine::render
