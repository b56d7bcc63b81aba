#pragma once
// Graphics cards as the kernel lists them, whether or not a Vulkan driver can use them.

#include <filesystem>
#include <vector>

namespace vitrine::render {

// Returns the device files of cards below `dev`, sorted: nvidia0, dri/renderD128 and so on. Any thread.
std::vector<std::filesystem::path> find_cards(const std::filesystem::path& dev = "/dev");

} // namespace vitrine::render
