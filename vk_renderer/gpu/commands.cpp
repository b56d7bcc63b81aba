#include "vk_renderer/gpu/commands.hpp"

#include <algorithm>
#include <array>
#include <cassert>

namespace vitrine::render {
namespace {

VkImageMemoryBarrier2 barrier_of(const LayoutChange& change, SyncScope from, SyncScope to)
{
    return {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
            .pNext = nullptr,
            .srcStageMask = from.stages,
            .srcAccessMask = from.access,
            .dstStageMask = to.stages,
            .dstAccessMask = to.access,
            .oldLayout = change.from,
            .newLayout = change.to,
            .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
            .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
            .image = change.image->get(),
            .subresourceRange = {aspect_of(change.image->desc().format), 0, VK_REMAINING_MIP_LEVELS, 0,
                                 VK_REMAINING_ARRAY_LAYERS}};
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

void image_barrier(const Device& device, VkCommandBuffer commands, SyncScope from, SyncScope to,
                   std::span<const LayoutChange> changes)
{
    assert(changes.size() <= max_layout_changes);
    std::array<VkImageMemoryBarrier2, max_layout_changes> images{};
    std::ranges::transform(changes, images.begin(),
                           [&](const LayoutChange& change) { return barrier_of(change, from, to); });
    const VkMemoryBarrier2 memory{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                  .pNext = nullptr,
                                  .srcStageMask = from.stages,
                                  .srcAccessMask = from.access,
                                  .dstStageMask = to.stages,
                                  .dstAccessMask = to.access};
    const VkDependencyInfo info{.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                .pNext = nullptr,
                                .dependencyFlags = 0,
                                .memoryBarrierCount = 1,
                                .pMemoryBarriers = &memory,
                                .bufferMemoryBarrierCount = 0,
                                .pBufferMemoryBarriers = nullptr,
                                .imageMemoryBarrierCount = static_cast<std::uint32_t>(changes.size()),
                                .pImageMemoryBarriers = images.data()};
    device.vk.vkCmdPipelineBarrier2(commands, &info);
}

void memory_barrier(const Device& device, VkCommandBuffer commands, SyncScope from, SyncScope to)
{
    image_barrier(device, commands, from, to, {});
}

void transition_undefined(const Device& device, VkCommandBuffer commands, const GpuImage& image, SyncScope to,
                          VkImageLayout layout)
{
    const LayoutChange change{&image, VK_IMAGE_LAYOUT_UNDEFINED, layout};
    image_barrier(device, commands, {VK_PIPELINE_STAGE_2_NONE, VK_ACCESS_2_NONE}, to, {&change, 1});
}

void transition_preinitialized(const Device& device, VkCommandBuffer commands, const GpuImage& image,
                               SyncScope to)
{
    const LayoutChange change{&image, VK_IMAGE_LAYOUT_PREINITIALIZED, VK_IMAGE_LAYOUT_GENERAL};
    image_barrier(device, commands, host_write, to, {&change, 1});
}

} // namespace vitrine::render
