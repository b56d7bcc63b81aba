#pragma once
// Queries of a physical device before a logical device is created.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "vk_renderer/base/options.hpp"
#include "vk_renderer/gpu/instance.hpp"

namespace vitrine::render {

DeviceInfo describe(VkPhysicalDevice physical);
bool has_extension(VkPhysicalDevice physical, const char* name);
// Whether the device can sample linearly tiled 8-bit RGBA images with linear filtering up to this side length
// with a full mip chain.
bool has_linear_textures(VkPhysicalDevice physical, std::uint32_t side);
// Returns the queue family for graphics and compute; `none` if there is no such family.
std::uint32_t find_queue_family(VkPhysicalDevice physical);

// Returns indices into instance.physical_devices() as selected by choose() of gpu/device_selection.hpp.
// Throws std::runtime_error that lists the available devices.
std::vector<std::size_t> choose_devices(const VulkanInstance& instance, const std::string& wanted);
// Returns the first of choose_devices().
VkPhysicalDevice choose_device(const VulkanInstance& instance, const std::string& wanted);

} // namespace vitrine::render
