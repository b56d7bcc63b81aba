#pragma once
// Queries of a physical device before a logical device is created.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "vk_renderer/base/options.hpp"
#include "vk_renderer/gpu/device_selection.hpp"
#include "vk_renderer/gpu/instance.hpp"

namespace vitrine::render {

DeviceInfo describe(VkPhysicalDevice physical);
bool has_extension(VkPhysicalDevice physical, const char* name);
// Whether the device can sample linearly tiled 8-bit RGBA images with linear filtering up to this side length
// with a full mip chain.
bool has_linear_textures(VkPhysicalDevice physical, std::uint32_t side);
// Returns the queue family for graphics and compute; `none` if there is no such family.
std::uint32_t find_queue_family(VkPhysicalDevice physical);
// Returns the number of valid bits in timestamps of its queues; 0: none are written.
std::uint32_t timestamp_bits_of(VkPhysicalDevice physical, std::uint32_t queue_family);

// Returns a candidate for each of instance.physical_devices(), in the same order.
std::vector<DeviceCandidate> find_candidates(const VulkanInstance& instance);
// Returns the first device that choose() of gpu/device_selection.hpp selects. Throws std::runtime_error that
// lists the available devices.
VkPhysicalDevice choose_device(const VulkanInstance& instance, const std::string& wanted);

} // namespace vitrine::render
