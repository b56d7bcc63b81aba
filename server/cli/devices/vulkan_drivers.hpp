#pragma once
// The installed Vulkan drivers and whether their libraries can be loaded, for `vitrine doctor`: Vulkan's
// loader leaves out a driver that it cannot load without a word.

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace vitrine::cli {

struct VulkanDriver {
    std::filesystem::path manifest;
    std::string library; // as the manifest names it
    std::string error;   // why it cannot be used; empty: its library can be loaded
};

// Returns the manifests that Vulkan's loader reads on Linux: those of VK_DRIVER_FILES or VK_ICD_FILENAMES, or
// else all of its standard folders, sorted ("Vulkan loader", LoaderDriverInterface.md).
std::vector<std::filesystem::path> vulkan_manifests();
// Loads the library of each manifest. Libraries for other processors are left out.
std::vector<VulkanDriver> find_vulkan_drivers(std::span<const std::filesystem::path> manifests);
// Returns what to do so that Vulkan uses a card of `cards` (device files, such as /dev/nvidia0), for which
// none of `drivers` works.
std::string unused_card_fix(std::span<const std::filesystem::path> cards,
                            std::span<const VulkanDriver> drivers);

} // namespace vitrine::cli
