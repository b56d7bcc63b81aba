#include "vk_renderer/gpu/commands.hpp"

#include "vk_renderer/gpu/image.hpp"

namespace vitrine::render {
namespace {

void transition_layout(const Device& device, VkCommandBuffer commands, VkImage image, VkFormat format,
                       VkImageLayout from_layout, SyncScope from, SyncScope to)
{
    const VkImageMemoryBarrier2 barrier{
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .pNext = nullptr,
        .srcStageMask = from.stages,
        .srcAccessMask = from.access,
        .dstStageMask = to.stages,
        .dstAccessMask = to.access,
        .oldLayout = from_layout,
        .newLayout = VK_IMAGE_LAYOUT_GENERAL,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image,
        .subresourceRange = {aspect_of(format), 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS}};
    const VkDependencyInfo info{.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                .pNext = nullptr,
                                .dependencyFlags = 0,
                                .memoryBarrierCount = 0,
                                .pMemoryBarriers = nullptr,
                                .bufferMemoryBarrierCount = 0,
                                .pBufferMemoryBarriers = nullptr,
                                .imageMemoryBarrierCount = 1,
                                .pImageMemoryBarriers = &barrier};
    device.vk.vkCmdPipelineBarrier2(commands, &info);
}

} // namespace

Commands::Commands(const Device& device) : device_(&device)
{
    const VkCommandPoolCreateInfo pool_info{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                            .pNext = nullptr,
                                            .flags = 0,
                                            .queueFamilyIndex = device.queue_family};
    VkCommandPool pool = VK_NULL_HANDLE;
    check(device.vk.vkCreateCommandPool(device.handle, &pool_info, nullptr, &pool),
          "creating a command pool");
    pool_ = CommandPoolHandle(device, pool);
    const VkCommandBufferAllocateInfo info{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                           .pNext = nullptr,
                                           .commandPool = pool,
                                           .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                           .commandBufferCount = 1};
    check(device.vk.vkAllocateCommandBuffers(device.handle, &info, &buffer_), "allocating a command buffer");
}

VkCommandBuffer Commands::begin()
{
    check(device_->vk.vkResetCommandPool(device_->handle, pool_.get(), 0), "resetting a command pool");
    const VkCommandBufferBeginInfo info{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                        .pNext = nullptr,
                                        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
                                        .pInheritanceInfo = nullptr};
    check(device_->vk.vkBeginCommandBuffer(buffer_, &info), "beginning a command buffer");
    return buffer_;
}

VkCommandBuffer Commands::end()
{
    check(device_->vk.vkEndCommandBuffer(buffer_), "ending a command buffer");
    return buffer_;
}

void memory_barrier(const Device& device, VkCommandBuffer commands, SyncScope from, SyncScope to)
{
    const VkMemoryBarrier2 barrier{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                   .pNext = nullptr,
                                   .srcStageMask = from.stages,
                                   .srcAccessMask = from.access,
                                   .dstStageMask = to.stages,
                                   .dstAccessMask = to.access};
    const VkDependencyInfo info{.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                .pNext = nullptr,
                                .dependencyFlags = 0,
                                .memoryBarrierCount = 1,
                                .pMemoryBarriers = &barrier,
                                .bufferMemoryBarrierCount = 0,
                                .pBufferMemoryBarriers = nullptr,
                                .imageMemoryBarrierCount = 0,
                                .pImageMemoryBarriers = nullptr};
    device.vk.vkCmdPipelineBarrier2(commands, &info);
}

void transition_undefined(const Device& device, VkCommandBuffer commands, VkImage image, VkFormat format,
                          SyncScope to)
{
    transition_layout(device, commands, image, format, VK_IMAGE_LAYOUT_UNDEFINED,
                      {VK_PIPELINE_STAGE_2_NONE, VK_ACCESS_2_NONE}, to);
}

void transition_preinitialized(const Device& device, VkCommandBuffer commands, VkImage image, VkFormat format,
                               SyncScope to)
{
    transition_layout(device, commands, image, format, VK_IMAGE_LAYOUT_PREINITIALIZED, host_write, to);
}

} // namespace vitrine::render
