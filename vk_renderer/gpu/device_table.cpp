// In a separate file, so that a test program can link its own definitions and inject faults and simulated
// devices below the whole renderer (tests/support/vulkan/faulty_vulkan.hpp).
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
