#define VOLK_IMPLEMENTATION
#include "vk_renderer/gpu/vulkan.hpp"

#include <volk.h> // again, for the implementation: the header above is precompiled

#include <fmt/format.h>

#include "vk_renderer/gpu/memory.hpp"

namespace vitrine::render {

void check(VkResult result, std::string_view what)
{
    if (result == VK_SUCCESS) return;
    if (result == VK_ERROR_DEVICE_LOST) throw DeviceLost(fmt::format("the device was lost: {}", what));
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY)
        throw OutOfMemory(fmt::format("out of device memory: {}", what));
    throw std::runtime_error(fmt::format("{} failed (VkResult {})", what, static_cast<int>(result)));
}

} // namespace vitrine::render
