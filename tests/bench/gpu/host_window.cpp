#include "tests/bench/gpu/host_window.hpp"

#include <algorithm>

namespace vitrine::bench {

HostWindow find_host_window(const VkPhysicalDeviceMemoryProperties& memory)
{
    constexpr VkMemoryPropertyFlags mappable =
        VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
    HostWindow window;
    for (std::uint32_t i = 0; i < memory.memoryHeapCount; ++i)
        if ((memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0)
            window.device_local_bytes = std::max(window.device_local_bytes, memory.memoryHeaps[i].size);
    for (std::uint32_t i = 0; i < memory.memoryTypeCount; ++i)
        if ((memory.memoryTypes[i].propertyFlags & mappable) == mappable)
            window.bytes = std::max(window.bytes, memory.memoryHeaps[memory.memoryTypes[i].heapIndex].size);
    window.is_whole = window.bytes > 0 && window.bytes / 9 >= window.device_local_bytes / 10;
    return window;
}

const char* name_of(const HostWindow& window, VkPhysicalDeviceType type)
{
    if (window.bytes == 0) return "none";
    if (type == VK_PHYSICAL_DEVICE_TYPE_CPU || type == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU)
        return "shared";
    return window.is_whole ? "resizable BAR" : "window";
}

} // namespace vitrine::bench
