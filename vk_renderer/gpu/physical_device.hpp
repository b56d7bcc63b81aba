#pragma once
// What is asked of a physical device before it is opened.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "vk_renderer/base/types.hpp"
#include "vk_renderer/gpu/instance.hpp"

namespace vitrine::render {

DeviceInfo describe(VkPhysicalDevice physical);
bool has_extension(VkPhysicalDevice physical, const char* name);
// Reads and filters linearly tiled RGBA, 8 bits each, up to this side and with all its mip maps.
bool has_linear_textures(VkPhysicalDevice physical, std::uint32_t side);
// The queue that draws and computes; `none` where the device has no such queue.
std::uint32_t find_queue_family(VkPhysicalDevice physical);

// Of instance.physical_devices(), as choose() of gpu/choice.hpp has it. Throws std::runtime_error naming what
// there is.
std::vector<std::size_t> choose_devices(const Instance& instance, const std::string& wanted);
// The first of them.
VkPhysicalDevice choose_device(const Instance& instance, const std::string& wanted);

} // namespace vitrine::render
