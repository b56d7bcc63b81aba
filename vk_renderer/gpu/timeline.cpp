#include "vk_renderer/gpu/timeline.hpp"

#include <fmt/format.h>

namespace vitrine::render {
namespace {

SemaphoreHandle create_semaphore(const Device& device)
{
    const VkSemaphoreTypeCreateInfo type{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                         .pNext = nullptr,
                                         .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
                                         .initialValue = 0};
    const VkSemaphoreCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type, .flags = 0};
    VkSemaphore semaphore = VK_NULL_HANDLE;
    check(device.vk.vkCreateSemaphore(device.handle, &info, nullptr, &semaphore), "creating the timeline");
    return {device, semaphore};
}

} // namespace

Timeline::Timeline(Device& device, std::chrono::milliseconds timeout)
    : device_(&device), timeout_(timeout), semaphore_(create_semaphore(device))
{
}

Timeline::~Timeline()
{
    drain();
}

void Timeline::drain() noexcept
{
    try {
        if (!device_->abandoned()) wait(submitted_);
    } catch (const DeviceLost&) {
        // wait() has abandoned a hung device; all objects of a lost device may be destroyed.
    } catch (const std::exception&) {
        device_->abandon();
    }
}

std::uint64_t Timeline::submit(VkCommandBuffer commands)
{
    const VkSemaphoreSubmitInfo signal{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                       .pNext = nullptr,
                                       .semaphore = semaphore_.get(),
                                       .value = submitted_ + 1,
                                       .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                       .deviceIndex = 0};
    const VkCommandBufferSubmitInfo buffer{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                           .pNext = nullptr,
                                           .commandBuffer = commands,
                                           .deviceMask = 0};
    const VkSubmitInfo2 info{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                             .pNext = nullptr,
                             .flags = 0,
                             .waitSemaphoreInfoCount = 0,
                             .pWaitSemaphoreInfos = nullptr,
                             .commandBufferInfoCount = 1,
                             .pCommandBufferInfos = &buffer,
                             .signalSemaphoreInfoCount = 1,
                             .pSignalSemaphoreInfos = &signal};
    check(device_->vk.vkQueueSubmit2(device_->queue, 1, &info, VK_NULL_HANDLE), "submitting work");
    return ++submitted_;
}

VkResult Timeline::wait_for(std::uint64_t value) const noexcept
{
    const VkSemaphore semaphore = semaphore_.get();
    const VkSemaphoreWaitInfo info{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                   .pNext = nullptr,
                                   .flags = 0,
                                   .semaphoreCount = 1,
                                   .pSemaphores = &semaphore,
                                   .pValues = &value};
    return device_->vk.vkWaitSemaphores(device_->handle, &info, static_cast<std::uint64_t>(timeout_.count()));
}

bool Timeline::wait_on_any_thread(std::uint64_t value) const noexcept
{
    return wait_for(value) != VK_TIMEOUT;
}

void Timeline::wait(std::uint64_t value)
{
    if (device_->abandoned() && reached() < value) throw DeviceLost("the device was abandoned");
    const auto result = wait_for(value);
    if (result == VK_TIMEOUT) abandon_device();
    check(result, "waiting for the device");
}

void Timeline::abandon_device()
{
    device_->abandon();
    throw DeviceLost(fmt::format("the device did not finish within {} ms",
                                 std::chrono::duration_cast<std::chrono::milliseconds>(timeout_).count()));
}

std::uint64_t Timeline::reached() const
{
    std::uint64_t value = 0;
    check(device_->vk.vkGetSemaphoreCounterValue(device_->handle, semaphore_.get(), &value),
          "reading the timeline");
    return value;
}

void Timeline::destroy_expired()
{
    const auto completed = reached();
    std::erase_if(deletion_queue_,
                  [&](const PendingDeletion& object) { return object.last_use <= completed; });
}

} // namespace vitrine::render
