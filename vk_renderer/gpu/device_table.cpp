// In a file of its own: a test program that brings its own of these links them instead, and so puts faults,
// and devices that the machine has not, under the whole renderer (tests/support/faulty_vulkan.hpp).
#include "vk_renderer/gpu/vulkan.hpp"

namespace vitrine::render {

void load_device_table(VolkDeviceTable& table, VkDevice device)
{
    volkLoadDeviceTable(&table, device);
}

std::vector<VkPhysicalDevice> enumerate_devices(VkInstance instance)
{
    std::uint32_t count = 0;
    check(vkEnumeratePhysicalDevices(instance, &count, nullptr), "listing the devices");
    std::vector<VkPhysicalDevice> devices(count);
    check(vkEnumeratePhysicalDevices(instance, &count, devices.data()), "listing the devices");
    devices.resize(count);
    return devices;
}

} // namespace vitrine::render
