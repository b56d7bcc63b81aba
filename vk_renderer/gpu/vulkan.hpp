#pragma once
// Vulkan's declarations, through volk, and the one place where a VkResult becomes an exception.

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <volk.h>

#include <string_view>
#include <vector>

namespace vitrine::render {

// DeviceLost when the device is gone, OutOfMemory when memory is out, std::runtime_error otherwise.
void check(VkResult result, std::string_view what);

// The device's functions: what everything below Device calls Vulkan by.
void load_device_table(VolkDeviceTable& table, VkDevice device);
// What the machine has, usable or not.
std::vector<VkPhysicalDevice> enumerate_devices(VkInstance instance);

} // namespace vitrine::render
