// Command buffers and submissions: draws and submissions that lose or hang the device.

#include <algorithm>
#include <chrono>
#include <csignal>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "tests/support/vulkan/faulty_device.hpp"

namespace vitrine::test {
namespace {

struct Recorded {
    std::mutex mutex;
    std::set<VkCommandBuffer> losing, hanging;
    std::map<VkSemaphore, std::uint64_t> hung; // timelines: the first value that is never reached
};

Recorded& recorded()
{
    static Recorded all;
    return all;
}

VkResult begin(VkCommandBuffer commands, const VkCommandBufferBeginInfo* info)
{
    {
        const std::scoped_lock lock(recorded().mutex);
        recorded().losing.erase(commands);
        recorded().hanging.erase(commands);
    }
    return driver().vkBeginCommandBuffer(commands, info);
}

void draw_indexed(VkCommandBuffer commands, std::uint32_t indices, std::uint32_t instances,
                  std::uint32_t first_index, std::int32_t vertex_offset, std::uint32_t first_instance)
{
    {
        const std::scoped_lock lock(recorded().mutex);
        if (indices == vulkan_faults().lose_draw) recorded().losing.insert(commands);
        if (indices == vulkan_faults().crash_draw && vulkan_faults().faulty_draws.fetch_sub(1) > 0)
            std::raise(SIGSEGV);
        if (indices == vulkan_faults().hang_draw) recorded().hanging.insert(commands);
    }
    driver().vkCmdDrawIndexed(commands, indices, instances, first_index, vertex_offset, first_instance);
}

void dispatch(VkCommandBuffer commands, std::uint32_t x, std::uint32_t y, std::uint32_t z)
{
    {
        const std::scoped_lock lock(recorded().mutex);
        vulkan_faults().largest_dispatch = std::max(vulkan_faults().largest_dispatch.load(), x);
    }
    driver().vkCmdDispatch(commands, x, y, z);
}

VkResult submit(VkQueue queue, std::uint32_t count, const VkSubmitInfo2* infos, VkFence fence)
{
    ++vulkan_faults().submits;
    const auto* commands = infos->pCommandBufferInfos->commandBuffer;
    bool lost = strikes(vulkan_faults().lose_submit), hung = strikes(vulkan_faults().hang_submit);
    {
        const std::scoped_lock lock(recorded().mutex);
        auto* const key = const_cast<VkCommandBuffer>(commands);
        const bool losing = recorded().losing.contains(key), hanging = recorded().hanging.contains(key);
        const bool faulty = (losing || hanging) && vulkan_faults().faulty_draws.fetch_sub(1) > 0;
        lost = lost || (losing && faulty);
        hung = hung || (hanging && faulty);
        for (std::uint32_t i = 0; hung && i < infos->signalSemaphoreInfoCount; ++i)
            recorded().hung.emplace(infos->pSignalSemaphoreInfos[i].semaphore,
                                    infos->pSignalSemaphoreInfos[i].value);
    }
    if (lost) return VK_ERROR_DEVICE_LOST;
    if (const auto time = vulkan_faults().submit_ms.load())
        std::this_thread::sleep_for(std::chrono::milliseconds(time));
    if (hung) return VK_SUCCESS; // accepted, but its semaphore is never signaled
    return driver().vkQueueSubmit2(queue, count, infos, fence);
}

// No wait for a hung submission, or for one behind it, succeeds: each times out at once.
VkResult wait_semaphores(VkDevice device, const VkSemaphoreWaitInfo* info, std::uint64_t timeout)
{
    {
        const std::scoped_lock lock(recorded().mutex);
        for (std::uint32_t i = 0; i < info->semaphoreCount; ++i) {
            const auto hung = recorded().hung.find(info->pSemaphores[i]);
            if (hung != recorded().hung.end() && info->pValues[i] >= hung->second) return VK_TIMEOUT;
        }
    }
    return driver().vkWaitSemaphores(device, info, timeout);
}

} // namespace

void replace_command_functions(VolkDeviceTable& table)
{
    table.vkBeginCommandBuffer = begin;
    table.vkCmdDispatch = dispatch;
    table.vkCmdDrawIndexed = draw_indexed;
    table.vkQueueSubmit2 = submit;
    table.vkWaitSemaphores = wait_semaphores;
}

} // namespace vitrine::test
