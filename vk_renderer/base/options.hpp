#pragma once
// Options and devices of the renderer.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "vk_renderer/base/errors.hpp"
#include "vk_renderer/base/frame_request.hpp"

namespace vitrine::render {

// Selects the code paths that depend on the kind of device (buffer reads in compute shaders, antialiasing,
// batch sizes): those of the actual device, or those for a CPU or a GPU regardless of the device. Images are
// equal except for rounding; tests draw with both on one machine.
enum class DeviceProfile : std::uint8_t { automatic, cpu, gpu };

// How samples become pixels in host memory. fragment: drawn into an image, which is copied to the host.
// compute: written by a compute shader, directly to host memory or to a buffer of the device that is copied
// once per batch. automatic: fragment on a CPU, compute on a GPU.
enum class ResolvePath : std::uint8_t { automatic, fragment, compute_to_host, compute_to_device };

// Set at build time (VITRINE_LABEL_FONT): the path at which Debian installs GNU Unifont.
std::filesystem::path default_label_font();

using LogFunction = std::function<void(const std::string&)>;
// Returns a function that may be called by several threads: calls of `log` do not overlap. Empty if `log` is.
LogFunction serialized(LogFunction log);

inline constexpr std::string_view validation_prefix = "validation: ";

struct Options {
    // As choose_devices() takes it; the first device of several is used.
    std::string device = "auto";
    // Enables the validation layers (core and synchronization), whose messages `on_log_message` receives.
    bool validation = false;
    // Limit of all device memory used by the renderer; 0: the budget that the device reports.
    std::uint64_t memory_bytes = 0;
    // Limit for cached scenes; never more than two thirds of the memory budget.
    std::uint64_t scene_cache_bytes = UINT64_MAX;
    bool antialias = true; // 4 samples per pixel; false: 1
    // The process ends after one use: nothing is created that pays off only over many images.
    bool single_use = false;
    std::uint32_t texture_side = 0; // larger textures are scaled down; 0: the device's default limit
    DeviceProfile device_profile = DeviceProfile::automatic;
    ResolvePath resolve_path = ResolvePath::automatic; // for tests and measurements
    // For tests: a smaller limit of storage buffer bindings than the device's, in bytes; 0: the device's.
    std::uint32_t max_binding_bytes = 0;
    // File that stores compiled pipelines between starts; empty: none. A damaged file or the file of another
    // device or driver is overwritten. Intended for one process at a time.
    std::filesystem::path pipeline_cache{};
    // Glyphs for joint names in scripts other than Latin, Greek and Cyrillic, in GNU Unifont's .hex format.
    // Opened when such a name is first drawn; if it cannot be read, the label is the joint's node number.
    std::filesystem::path label_font = default_label_font();
    // Receives log messages, one at a time; called on the Renderer's thread. Messages of the validation
    // layers begin with validation_prefix and come from any thread that calls Vulkan.
    std::function<void(const std::string&)> on_log_message{};
    // For measurements: timestamps between the passes of a batch, see Renderer::pass_times().
    bool measures_passes = false;
    // A submission that takes longer throws DeviceLost, and the device is abandoned.
    std::chrono::milliseconds submit_timeout{20'000};
};

struct DeviceInfo {
    std::string name;
    std::string driver; // name and version
    std::string api_version;
    bool software = false;     // renders on the CPU
    std::string pci_address{}; // such as 0000:65:00.0; empty: the driver does not report it
    std::string uuid{};        // VkPhysicalDeviceIDProperties::deviceUUID as 8-4-4-4-12 hexadecimal digits
};

// Device-local memory in bytes.
struct MemoryUse {
    std::uint64_t used = 0;   // by this Renderer
    std::uint64_t budget = 0; // limit for this Renderer
};

// Sets environment variables of the Vulkan loader so that it skips drivers that cannot provide `device`
// (Options::device). Variables that are already set are not changed. Precondition: no other thread is
// running.
void disable_unused_drivers(const std::string& device);

} // namespace vitrine::render
