#include "vk_renderer/gpu/driver_filter.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "vk_renderer/base/options.hpp"
#include "vk_renderer/gpu/graphics_cards.hpp"

namespace vitrine::render {
namespace {

// Manifests of drivers that access their cards only through /dev/dri.
constexpr std::string_view drm_driver_manifests =
    "intel*,radeon*,amd_icd*,nouveau*,broadcom*,freedreno*,panfrost*,powervr*,asahi*,virtio*";
constexpr std::string_view non_drm_driver_manifests = "nvidia*,dzn*";

bool has_drm_device()
{
    return std::ranges::any_of(find_cards(),
                               [](const auto& card) { return card.parent_path().filename() == "dri"; });
}

bool is_set(const char* variable)
{
    return std::getenv(variable) != nullptr; // NOLINT(concurrency-mt-unsafe): see disable_unused_drivers()
}

void set(const char* variable, const std::string& value)
{
    ::setenv(variable, value.c_str(), 0); // NOLINT(concurrency-mt-unsafe)
}

} // namespace

std::string unused_drivers(std::string_view device, bool cards)
{
    if (device == "software")
        return std::string(drm_driver_manifests) + "," + std::string(non_drm_driver_manifests);
    return std::string(cards ? "" : drm_driver_manifests);
}

void disable_unused_drivers(const std::string& device)
{
    constexpr std::array user_variables{"VK_DRIVER_FILES", "VK_ICD_FILENAMES", "VK_ADD_DRIVER_FILES",
                                        "VK_LOADER_DRIVERS_SELECT", "VK_LOADER_DRIVERS_DISABLE"};
    if (std::ranges::any_of(user_variables, is_set)) return;
    const auto useless = unused_drivers(device, has_drm_device());
    if (useless.empty()) return;
    set("VK_LOADER_DRIVERS_DISABLE", useless);
    // Mesa's device selection layer opens X11 and Wayland libraries.
    if (!is_set("MESA_VK_DEVICE_SELECT") && !is_set("DRI_PRIME")) set("NODEVICE_SELECT", "1");
}

} // namespace vitrine::render
