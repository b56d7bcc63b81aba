#pragma once
// Which part of a card's memory the host can map. Pure.

#include <cstdint>

#include "vk_renderer/gpu/vulkan.hpp"

namespace vitrine::bench {

// A host without resizable BAR maps 256 MiB ("PCI Express Base Specification" 4.0, 7.8.6: Resizable BAR).
struct HostWindow {
    std::uint64_t bytes = 0;              // of device-local memory that the host can map; 0: none
    std::uint64_t device_local_bytes = 0; // of the largest device-local heap
    bool is_whole = false;                // at least nine tenths of that heap
};

HostWindow find_host_window(const VkPhysicalDeviceMemoryProperties& memory);

// "none", "window", "resizable BAR" or, on devices that use the host's memory, "shared".
const char* name_of(const HostWindow& window, VkPhysicalDeviceType type);

} // namespace vitrine::bench
