// In a file of its own: a test program that brings its own load_device_table() links that one instead, and
// so puts faults under the whole renderer (tests/support/faulty_vulkan.hpp).
#include "vk_renderer/gpu/vk.hpp"

namespace vitrine::render {

void load_device_table(VolkDeviceTable& table, VkDevice device)
{
    volkLoadDeviceTable(&table, device);
}

} // namespace vitrine::render
