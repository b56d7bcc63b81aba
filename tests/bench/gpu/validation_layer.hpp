#pragma once
// The validation layer of this machine. Synchronization validation looks into each submission; across
// submissions only if the layer has the setting, which its manifest lists.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::bench {

// Folders of the Vulkan loader's manifests of explicit layers ("Architecture of the Vulkan Loader
// Interfaces", Layer Discovery on Linux), with those of VK_LAYER_PATH and VK_ADD_LAYER_PATH.
std::vector<std::filesystem::path> layer_folders();

// Returns the name of the setting in the manifest of VK_LAYER_KHRONOS_validation in the first of `folders`
// that has one; empty: there is none.
std::string submission_setting(std::span<const std::filesystem::path> folders);

// The same in the text of a manifest.
std::string submission_setting(std::string_view manifest);

// Returns the environment variable NAME=VALUE that enables the setting; empty without one.
std::string submission_variable(std::string_view setting);

} // namespace vitrine::bench
