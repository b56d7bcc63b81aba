#pragma once
// Selects which installed Vulkan drivers the loader opens. Opening one takes 5 to 30 ms, longer than
// rendering an image.

#include <string>
#include <string_view>

namespace vitrine::render {

// Returns the manifests of drivers that cannot provide the device, in the format of
// VK_LOADER_DRIVERS_DISABLE; empty: open all. `device` as in Options; `cards`: whether the kernel has a
// graphics card.
std::string unused_drivers(std::string_view device, bool cards);

} // namespace vitrine::render
