#pragma once
// Which of the installed Vulkan drivers the loader opens. Opening one takes 5 to 30 ms, more than a picture.

#include <string>
#include <string_view>

namespace vitrine::render {

// The drivers that cannot give a device, as VK_LOADER_DRIVERS_DISABLE takes them (names of manifests); empty:
// open all. `device` as in Options; `cards`: whether the kernel knows a graphics card.
std::string unused_drivers(std::string_view device, bool cards);

} // namespace vitrine::render
