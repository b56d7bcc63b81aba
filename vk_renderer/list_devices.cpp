// The drivers and devices of this machine.
#include "vk_renderer/gpu/device_selection.hpp"
#include "vk_renderer/gpu/physical_device.hpp"
#include "vk_renderer/renderer.hpp"

namespace vitrine::render {

std::shared_ptr<void> load_drivers()
{
    return std::make_shared<VulkanInstance>(false);
}

std::vector<DeviceInfo> list_devices()
{
    const VulkanInstance instance(false);
    std::vector<DeviceInfo> devices;
    for (auto* physical : instance.physical_devices())
        devices.push_back(describe(physical));
    return devices;
}

std::vector<std::size_t> choose_devices(const std::string& wanted)
{
    return choose_devices(VulkanInstance(false), wanted);
}

} // namespace vitrine::render
