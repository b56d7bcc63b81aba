// The drivers and devices of this machine.
#include <algorithm>

#include <fmt/format.h>

#include "vk_renderer/gpu/device_selection.hpp"
#include "vk_renderer/gpu/graphics_cards.hpp"
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

std::vector<std::string> choose_devices(const std::string& wanted)
{
    const auto candidates = find_candidates(VulkanInstance(false));
    std::vector<std::string> selectors;
    for (const auto index : choose(candidates, wanted))
        selectors.push_back(selector_of(candidates, index));
    return selectors;
}

bool selects_software(const std::string& wanted)
{
    try {
        const auto candidates = find_candidates(VulkanInstance(false));
        return std::ranges::all_of(choose(candidates, wanted), [&](std::size_t index) {
            return candidates[index].kind == DeviceKind::software;
        });
    } catch (const std::exception&) {
        return true;
    }
}

bool has_graphics_card()
{
    return !find_cards().empty();
}

std::vector<std::filesystem::path> unused_cards(const std::string& wanted, const DeviceInfo& device,
                                                const std::filesystem::path& dev)
{
    return wanted == "auto" && device.software ? find_cards(dev) : std::vector<std::filesystem::path>{};
}

std::string unused_card_notice(const std::string& wanted, const DeviceInfo& device,
                               const std::filesystem::path& dev)
{
    const auto cards = unused_cards(wanted, device, dev);
    if (cards.empty()) return {};
    return fmt::format(
        "this machine has a graphics card ({}), but no Vulkan driver for it works: the processor "
        "renders instead; see vitrine doctor",
        cards.front().native());
}

} // namespace vitrine::render
