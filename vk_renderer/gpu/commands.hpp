#pragma once
// A reusable command buffer and the barriers used in it.

#include <cstddef>
#include <span>
#include <string_view>

#include "vk_renderer/gpu/image.hpp"

namespace vitrine::render {

class Commands {
public:
    explicit Commands(const Device& device);

    // Resets the command buffer. Precondition: the device has finished executing it.
    VkCommandBuffer begin();
    VkCommandBuffer end();

private:
    const Device* device_;
    CommandPoolHandle pool_;
    VkCommandBuffer buffer_ = VK_NULL_HANDLE;
};

// Pipeline stages and accesses of one side of a barrier: writes in `from` are visible in `to`.
struct SyncScope {
    VkPipelineStageFlags2 stages;
    VkAccessFlags2 access;
};
constexpr SyncScope operator|(SyncScope a, SyncScope b)
{
    return {a.stages | b.stages, a.access | b.access};
}
inline constexpr SyncScope host_write{VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_WRITE_BIT};
inline constexpr SyncScope host_read{VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT};
inline constexpr SyncScope transfer{VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
                                    VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT};
inline constexpr SyncScope compute{VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                                   VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_SHADER_WRITE_BIT};
inline constexpr SyncScope raster_read{VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT,
                                       VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT |
                                           VK_ACCESS_2_INDEX_READ_BIT};
inline constexpr SyncScope attachments{
    VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT |
        VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT,
    VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT |
        VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT};
inline constexpr SyncScope everything{VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                      VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT};

struct LayoutChange {
    const GpuImage* image;
    VkImageLayout from, to; // from UNDEFINED: the contents are discarded
};
inline constexpr std::size_t max_layout_changes = 16; // of one barrier

void memory_barrier(const Device& device, VkCommandBuffer commands, SyncScope from, SyncScope to);
// As memory_barrier(), and changes the layouts in between. Precondition: at most max_layout_changes.
void image_barrier(const Device& device, VkCommandBuffer commands, SyncScope from, SyncScope to,
                   std::span<const LayoutChange> changes);
// Transitions a new image; its contents are discarded.
void transition_undefined(const Device& device, VkCommandBuffer commands, const GpuImage& image, SyncScope to,
                          VkImageLayout layout = VK_IMAGE_LAYOUT_GENERAL);
// Transitions an image written by the host from PREINITIALIZED to GENERAL; its contents are preserved.
void transition_preinitialized(const Device& device, VkCommandBuffer commands, const GpuImage& image,
                               SyncScope to);

} // namespace vitrine::render
