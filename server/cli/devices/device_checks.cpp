#include "server/cli/devices/device_checks.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include <fmt/format.h>

#include "server/cli/devices/nvidia_cards.hpp"
#include "server/cli/devices/vulkan_drivers.hpp"
#include "vk_renderer/renderer.hpp"

namespace vitrine::cli {
namespace {

constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;

} // namespace

// Lists all devices by index, address and UUID, as --gpu takes them. A software device passes too; it is only
// slower.
CheckResult check_devices()
{
    const auto devices = render::list_devices();
    std::string text;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const auto& device = devices[i];
        text += fmt::format("{}{}: {} ({}, Vulkan {}, {}", i == 0 ? "" : "; ", i, device.name,
                            device.software ? "software" : "GPU", device.api_version, device.driver);
        if (!device.pci_address.empty()) text += ", " + device.pci_address;
        text += fmt::format(", {})", device.uuid);
    }
    if (!devices.empty()) return {text, {}};
    return {"no Vulkan device", "install a GPU driver with Vulkan 1.3, or mesa-vulkan-drivers for software"};
}

CheckResult check_renderer(const std::string& gpu)
{
    try {
        const auto start = std::chrono::steady_clock::now();
        const render::Renderer renderer(render::Options{.device = gpu});
        const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
        const double memory = static_cast<double>(renderer.memory().budget) / gibibyte;
        const auto text = fmt::format("starts on {} in {:.0f} ms; {:.1f} GiB of its memory may be used",
                                      renderer.info().name, took.count(), memory);
        const auto cards = render::unused_cards(gpu, renderer.info());
        if (cards.empty()) return {text, {}};
        return {fmt::format("{}; the card {} is not used", text, cards.front().native()),
                unused_card_fix(cards, find_vulkan_drivers(vulkan_manifests()))};
    } catch (const std::exception& error) {
        return {error.what(), "install a GPU driver with Vulkan 1.3, or mesa-vulkan-drivers for software"};
    }
}

// Fails only if there is a card that the driver would be for.
CheckResult check_drivers()
{
    std::string text;
    bool all_load = true;
    for (const auto& [manifest, library, error] : find_vulkan_drivers(vulkan_manifests())) {
        text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", manifest.filename().native(),
                            error.empty() ? library : error);
        all_load = all_load && error.empty();
    }
    if (text.empty()) text = "no manifest of a Vulkan driver is installed";
    const bool is_wanted = !all_load && render::has_graphics_card();
    return {text, is_wanted ? "install the missing library, or the driver again" : ""};
}

// The cards of NVIDIA's kernel driver, and what Vulkan makes of CUDA's settings. An instance of
// Multi-Instance GPU has no graphics, so that the card is not listed among the devices.
CheckResult check_nvidia_cards()
{
    std::string text, split;
    for (const auto& [address, model, uuid, is_split] : nvidia_cards()) {
        text += fmt::format("{}{} {} {}{}", text.empty() ? "" : "; ", address, model, uuid,
                            is_split ? " (split into MIG instances, which have no graphics)" : "");
        if (is_split) split = address;
    }
    if (text.empty()) text = "none";
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing sets it
    if (const char* visible = std::getenv("CUDA_VISIBLE_DEVICES"); visible != nullptr)
        text += fmt::format("; CUDA_VISIBLE_DEVICES={} does not limit Vulkan: choose with --gpu", visible);
    const bool has_device =
        std::ranges::any_of(render::list_devices(), [](const auto& d) { return !d.software; });
    if (split.empty() || has_device) return {text, {}};
    return {text, fmt::format("turn MIG off for a card: nvidia-smi -i {} -mig 0", split)};
}

} // namespace vitrine::cli
