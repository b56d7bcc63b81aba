// Device memory: limits, the memory types of a card, and memory that is not coherent.

#include <algorithm>
#include <map>
#include <mutex>
#include <span>
#include <vector>

#include "tests/support/vulkan/faulty_device.hpp"

namespace vitrine::test {
namespace {

struct Allocated {
    VkDeviceSize size = 0;
    std::uint32_t type = 0;
    bool local = false;            // in a device-local heap
    std::byte* mapped = nullptr;   // by the driver
    std::vector<std::byte> cached; // what the host sees of memory that is not coherent
};

struct Blocks {
    std::mutex mutex;
    std::map<VkDeviceMemory, Allocated> by_handle;
};

Blocks& blocks()
{
    static Blocks all;
    return all;
}

bool is_device_local(std::uint32_t type)
{
    return (vulkan_faults().local_types >> type & 1u) != 0;
}

// Only types of a card are counted.
void count_use(std::uint32_t type, std::int64_t bytes)
{
    auto& state = vulkan_faults();
    if (type == card_window) state.window_used += static_cast<std::uint64_t>(bytes);
    if (type != system_memory) return;
    state.system_used += static_cast<std::uint64_t>(bytes);
    state.system_peak = std::max(state.system_peak.load(), state.system_used.load());
}

std::uint32_t card_types()
{
    const std::uint32_t coherent = 1u << card_memory | 1u << system_memory | 1u << card_window;
    return vulkan_faults().is_incoherent ? coherent | 1u << cached_memory : coherent;
}

void buffer_needs(VkDevice device, VkBuffer buffer, VkMemoryRequirements* needs)
{
    driver().vkGetBufferMemoryRequirements(device, buffer, needs);
    if (vulkan_faults().is_card) needs->memoryTypeBits = card_types();
}

void image_needs(VkDevice device, VkImage image, VkMemoryRequirements* needs)
{
    driver().vkGetImageMemoryRequirements(device, image, needs);
    if (vulkan_faults().is_card) needs->memoryTypeBits = card_types();
}

VkResult allocate(VkDevice device, const VkMemoryAllocateInfo* info, const VkAllocationCallbacks* callbacks,
                  VkDeviceMemory* memory)
{
    const auto type = info->memoryTypeIndex;
    const bool local = is_device_local(type);
    const bool is_full =
        local && vulkan_faults().used_bytes + info->allocationSize > vulkan_faults().memory_bytes;
    if (is_out_of_memory() || is_full) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    if (vulkan_faults().is_card && type == card_window &&
        vulkan_faults().window_used + info->allocationSize > vulkan_faults().window_bytes)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    auto known = *info;
    if (vulkan_faults().is_card) known.memoryTypeIndex = 0; // of the driver
    const auto result = driver().vkAllocateMemory(device, &known, callbacks, memory);
    if (result != VK_SUCCESS) return result;
    const std::scoped_lock lock(blocks().mutex);
    blocks().by_handle[*memory] = {
        .size = info->allocationSize, .type = type, .local = local, .mapped = nullptr, .cached = {}};
    count_use(type, static_cast<std::int64_t>(info->allocationSize));
    if (local) vulkan_faults().used_bytes += info->allocationSize;
    ++vulkan_faults().allocations;
    return result;
}

VkResult map(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size,
             VkMemoryMapFlags flags, void** address)
{
    const auto result = driver().vkMapMemory(device, memory, offset, size, flags, address);
    const std::scoped_lock lock(blocks().mutex);
    auto& block = blocks().by_handle.at(memory);
    if (result != VK_SUCCESS || !vulkan_faults().is_incoherent || block.type != cached_memory) return result;
    block.mapped = static_cast<std::byte*>(*address);
    block.cached.resize(block.size);
    *address = block.cached.data();
    return result;
}

VkResult invalidate(VkDevice, std::uint32_t count, const VkMappedMemoryRange* ranges)
{
    const std::scoped_lock lock(blocks().mutex);
    for (const auto& range : std::span(ranges, count)) {
        auto& block = blocks().by_handle.at(range.memory);
        std::copy_n(block.mapped + range.offset, range.size, block.cached.data() + range.offset);
        ++vulkan_faults().invalidations;
    }
    return VK_SUCCESS;
}

void free(VkDevice device, VkDeviceMemory memory, const VkAllocationCallbacks* callbacks)
{
    {
        const std::scoped_lock lock(blocks().mutex);
        const auto found = blocks().by_handle.find(memory);
        if (found->second.local) vulkan_faults().used_bytes -= found->second.size;
        count_use(found->second.type, -static_cast<std::int64_t>(found->second.size));
        blocks().by_handle.erase(found);
        --vulkan_faults().allocations;
    }
    driver().vkFreeMemory(device, memory, callbacks);
}

} // namespace

void replace_memory_functions(VolkDeviceTable& table)
{
    table.vkAllocateMemory = allocate;
    table.vkFreeMemory = free;
    table.vkMapMemory = map;
    table.vkInvalidateMappedMemoryRanges = invalidate;
    table.vkGetBufferMemoryRequirements = buffer_needs;
    table.vkGetImageMemoryRequirements = image_needs;
}

} // namespace vitrine::test
