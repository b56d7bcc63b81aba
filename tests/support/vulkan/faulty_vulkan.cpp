#include "tests/support/vulkan/faulty_vulkan.hpp"

#include <algorithm>
#include <csignal>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <vector>

#include "vk_renderer/gpu/vulkan.hpp"

namespace vitrine::test {

VulkanFaults& vulkan_faults()
{
    static VulkanFaults state;
    return state;
}

namespace {

VulkanFaults& faults()
{
    return vulkan_faults();
}

// The driver's function table. One for all devices: a process has one driver, with or without the validation
// layers.
VolkDeviceTable& real()
{
    static VolkDeviceTable table{};
    return table;
}

// Guards the state of command buffers and memory.
std::mutex& mutex()
{
    static std::mutex one;
    return one;
}

struct Recorded {
    std::set<VkCommandBuffer> losing, hanging;
    struct Allocated {
        VkDeviceSize size = 0;
        std::uint32_t type = 0;
        bool local = false;            // in a device-local heap
        std::byte* mapped = nullptr;   // by the driver
        std::vector<std::byte> cached; // what the host sees of memory that is not coherent
    };
    std::map<VkDeviceMemory, Allocated> memory;
    std::map<VkSemaphore, std::uint64_t> hung; // timelines: the first value that is never reached
};

Recorded& recorded()
{
    static Recorded all;
    return all;
}

// Decrements a countdown; returns true when it reaches its end.
bool strikes(std::atomic<int>& countdown)
{
    return countdown > 0 && countdown.fetch_sub(1) == 1;
}

bool out_of_memory()
{
    ++faults().creations;
    if (strikes(faults().fail_creation)) return true;
    return faults().fail_all && faults().fail_creation <= 0;
}

template <auto Member>
struct Creating;
template <class... Args, VkResult (*VolkDeviceTable::*Member)(Args...)>
struct Creating<Member> {
    static VkResult call(Args... args)
    {
        if (out_of_memory()) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
        const auto result = (real().*Member)(args...);
        if (result == VK_SUCCESS) ++faults().objects;
        return result;
    }
};

template <auto Member>
struct Destroying;
template <class... Args, void (*VolkDeviceTable::*Member)(Args...)>
struct Destroying<Member> {
    static void call(Args... args)
    {
        --faults().objects;
        (real().*Member)(args...);
    }
};

bool is_device_local(std::uint32_t type)
{
    return (faults().local_types >> type & 1u) != 0;
}

// Only types of a card are counted.
void count_use(std::uint32_t type, std::int64_t bytes)
{
    auto& state = faults();
    if (type == card_window) state.window_used += static_cast<std::uint64_t>(bytes);
    if (type != system_memory) return;
    state.system_used += static_cast<std::uint64_t>(bytes);
    state.system_peak = std::max(state.system_peak.load(), state.system_used.load());
}

std::uint32_t card_types()
{
    const std::uint32_t coherent = 1u << card_memory | 1u << system_memory | 1u << card_window;
    return faults().is_incoherent ? coherent | 1u << cached_memory : coherent;
}

void buffer_needs(VkDevice device, VkBuffer buffer, VkMemoryRequirements* needs)
{
    real().vkGetBufferMemoryRequirements(device, buffer, needs);
    if (faults().is_card) needs->memoryTypeBits = card_types();
}

void image_needs(VkDevice device, VkImage image, VkMemoryRequirements* needs)
{
    real().vkGetImageMemoryRequirements(device, image, needs);
    if (faults().is_card) needs->memoryTypeBits = card_types();
}

VkResult allocate(VkDevice device, const VkMemoryAllocateInfo* info, const VkAllocationCallbacks* callbacks,
                  VkDeviceMemory* memory)
{
    const auto type = info->memoryTypeIndex;
    const bool local = is_device_local(type);
    const bool is_full = local && faults().used_bytes + info->allocationSize > faults().memory_bytes;
    if (out_of_memory() || is_full) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    if (faults().is_card && type == card_window &&
        faults().window_used + info->allocationSize > faults().window_bytes)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    auto known = *info;
    if (faults().is_card) known.memoryTypeIndex = 0; // of the driver
    const auto result = real().vkAllocateMemory(device, &known, callbacks, memory);
    if (result != VK_SUCCESS) return result;
    const std::scoped_lock lock(mutex());
    recorded().memory[*memory] = {
        .size = info->allocationSize, .type = type, .local = local, .mapped = nullptr, .cached = {}};
    count_use(type, static_cast<std::int64_t>(info->allocationSize));
    if (local) faults().used_bytes += info->allocationSize;
    ++faults().allocations;
    return result;
}

VkResult map(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size,
             VkMemoryMapFlags flags, void** address)
{
    const auto result = real().vkMapMemory(device, memory, offset, size, flags, address);
    const std::scoped_lock lock(mutex());
    auto& block = recorded().memory.at(memory);
    if (result != VK_SUCCESS || !faults().is_incoherent || block.type != cached_memory) return result;
    block.mapped = static_cast<std::byte*>(*address);
    block.cached.resize(block.size);
    *address = block.cached.data();
    return result;
}

VkResult invalidate(VkDevice, std::uint32_t count, const VkMappedMemoryRange* ranges)
{
    const std::scoped_lock lock(mutex());
    for (const auto& range : std::span(ranges, count)) {
        auto& block = recorded().memory.at(range.memory);
        std::copy_n(block.mapped + range.offset, range.size, block.cached.data() + range.offset);
        ++faults().invalidations;
    }
    return VK_SUCCESS;
}

void free(VkDevice device, VkDeviceMemory memory, const VkAllocationCallbacks* callbacks)
{
    {
        const std::scoped_lock lock(mutex());
        const auto found = recorded().memory.find(memory);
        if (found->second.local) faults().used_bytes -= found->second.size;
        count_use(found->second.type, -static_cast<std::int64_t>(found->second.size));
        recorded().memory.erase(found);
        --faults().allocations;
    }
    real().vkFreeMemory(device, memory, callbacks);
}

void destroy_device(VkDevice device, const VkAllocationCallbacks* callbacks)
{
    --faults().devices;
    real().vkDestroyDevice(device, callbacks);
}

VkResult begin(VkCommandBuffer commands, const VkCommandBufferBeginInfo* info)
{
    {
        const std::scoped_lock lock(mutex());
        recorded().losing.erase(commands);
        recorded().hanging.erase(commands);
    }
    return real().vkBeginCommandBuffer(commands, info);
}

void draw_indexed(VkCommandBuffer commands, std::uint32_t indices, std::uint32_t instances,
                  std::uint32_t first_index, std::int32_t vertex_offset, std::uint32_t first_instance)
{
    {
        const std::scoped_lock lock(mutex());
        if (indices == faults().lose_draw) recorded().losing.insert(commands);
        if (indices == faults().crash_draw && faults().faulty_draws.fetch_sub(1) > 0) std::raise(SIGSEGV);
        if (indices == faults().hang_draw) recorded().hanging.insert(commands);
    }
    real().vkCmdDrawIndexed(commands, indices, instances, first_index, vertex_offset, first_instance);
}

void dispatch(VkCommandBuffer commands, std::uint32_t x, std::uint32_t y, std::uint32_t z)
{
    {
        const std::scoped_lock lock(mutex());
        faults().largest_dispatch = std::max(faults().largest_dispatch.load(), x);
    }
    real().vkCmdDispatch(commands, x, y, z);
}

VkResult submit(VkQueue queue, std::uint32_t count, const VkSubmitInfo2* infos, VkFence fence)
{
    ++faults().submits;
    const auto* commands = infos->pCommandBufferInfos->commandBuffer;
    bool lost = strikes(faults().lose_submit), hung = strikes(faults().hang_submit);
    {
        const std::scoped_lock lock(mutex());
        auto* const key = const_cast<VkCommandBuffer>(commands);
        const bool losing = recorded().losing.contains(key), hanging = recorded().hanging.contains(key);
        const bool faulty = (losing || hanging) && faults().faulty_draws.fetch_sub(1) > 0;
        lost = lost || (losing && faulty);
        hung = hung || (hanging && faulty);
        for (std::uint32_t i = 0; hung && i < infos->signalSemaphoreInfoCount; ++i)
            recorded().hung.emplace(infos->pSignalSemaphoreInfos[i].semaphore,
                                    infos->pSignalSemaphoreInfos[i].value);
    }
    if (lost) return VK_ERROR_DEVICE_LOST;
    if (hung) return VK_SUCCESS; // accepted, but its semaphore is never signaled
    return real().vkQueueSubmit2(queue, count, infos, fence);
}

// No wait for a hung submission, or for one behind it, succeeds: each times out at once.
VkResult wait_semaphores(VkDevice device, const VkSemaphoreWaitInfo* info, std::uint64_t timeout)
{
    {
        const std::scoped_lock lock(mutex());
        for (std::uint32_t i = 0; i < info->semaphoreCount; ++i) {
            const auto hung = recorded().hung.find(info->pSemaphores[i]);
            if (hung != recorded().hung.end() && info->pValues[i] >= hung->second) return VK_TIMEOUT;
        }
    }
    return real().vkWaitSemaphores(device, info, timeout);
}

// One pipeline at a time, as the renderer creates them.
VkResult create_compute_pipelines(VkDevice device, VkPipelineCache cache, std::uint32_t count,
                                  const VkComputePipelineCreateInfo* infos,
                                  const VkAllocationCallbacks* callbacks, VkPipeline* pipelines)
{
    auto known = *infos;
    const auto* const robustness = static_cast<const VkPipelineRobustnessCreateInfoEXT*>(known.pNext);
    if (faults().pipeline_robustness && robustness != nullptr) {
        if (robustness->storageBuffers == VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED_EXT)
            ++faults().unchecked_pipelines;
        known.pNext = robustness->pNext; // the driver does not know it
    }
    return Creating<&VolkDeviceTable::vkCreateComputePipelines>::call(device, cache, count, &known, callbacks,
                                                                      pipelines);
}

template <auto... Creators>
void count_creations(VolkDeviceTable& table)
{
    ((table.*Creators = Creating<Creators>::call), ...);
}

template <auto... Destroyers>
void count_destructions(VolkDeviceTable& table)
{
    ((table.*Destroyers = Destroying<Destroyers>::call), ...);
}

} // namespace
} // namespace vitrine::test

namespace vitrine::render {

void load_device_table(VolkDeviceTable& table, VkDevice device)
{
    using T = VolkDeviceTable;
    volkLoadDeviceTable(&test::real(), device);
    table = test::real();
    ++test::vulkan_faults().devices;
    test::count_creations<&T::vkCreateBuffer, &T::vkCreateBufferView, &T::vkCreateImage,
                          &T::vkCreateImageView, &T::vkCreateSampler, &T::vkCreateShaderModule,
                          &T::vkCreateDescriptorSetLayout, &T::vkCreatePipelineLayout,
                          &T::vkCreateGraphicsPipelines, &T::vkCreatePipelineCache, &T::vkCreateSemaphore,
                          &T::vkCreateCommandPool, &T::vkCreateQueryPool>(table);
    test::count_destructions<&T::vkDestroyBuffer, &T::vkDestroyBufferView, &T::vkDestroyImage,
                             &T::vkDestroyImageView, &T::vkDestroySampler, &T::vkDestroyShaderModule,
                             &T::vkDestroyDescriptorSetLayout, &T::vkDestroyPipelineLayout,
                             &T::vkDestroyPipeline, &T::vkDestroyPipelineCache, &T::vkDestroySemaphore,
                             &T::vkDestroyCommandPool, &T::vkDestroyQueryPool>(table);
    table.vkCreateComputePipelines = test::create_compute_pipelines;
    table.vkAllocateMemory = test::allocate;
    table.vkFreeMemory = test::free;
    table.vkMapMemory = test::map;
    table.vkInvalidateMappedMemoryRanges = test::invalidate;
    table.vkGetBufferMemoryRequirements = test::buffer_needs;
    table.vkGetImageMemoryRequirements = test::image_needs;
    table.vkDestroyDevice = test::destroy_device;
    table.vkBeginCommandBuffer = test::begin;
    table.vkCmdDispatch = test::dispatch;
    table.vkCmdDrawIndexed = test::draw_indexed;
    table.vkQueueSubmit2 = test::submit;
    table.vkWaitSemaphores = test::wait_semaphores;
}

} // namespace vitrine::render
