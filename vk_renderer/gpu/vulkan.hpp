#pragma once
// Vulkan's declarations, through volk, and the conversion of VkResult to exceptions.

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <volk.h>

#include <string_view>
#include <vector>

namespace vitrine::render {

// Throws DeviceLost when the device is lost, OutOfMemory when memory is exhausted, std::runtime_error for
// other errors.
void check(VkResult result, std::string_view what);

// Loads the device functions, through which all code below Device calls Vulkan.
void load_device_table(VolkDeviceTable& table, VkDevice device);
// Returns all physical devices, usable or not.
std::vector<VkPhysicalDevice> enumerate_devices(VkInstance instance);

} // namespace vitrine::render
