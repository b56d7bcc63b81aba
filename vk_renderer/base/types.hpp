#pragma once
// Types that the renderer's folders and its callers share: errors, options, devices, moments, shots.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "loaders/scene/scene.hpp"
#include "vk_renderer/base/view.hpp"

namespace vitrine::render {

struct RenderError : std::runtime_error {
    using std::runtime_error::runtime_error;
};
// The model itself cannot be drawn in such a pose, by no device and no other view.
struct Undrawable : RenderError {
    using RenderError::RenderError;
};
// The device has no room for the model, or for the picture, even with nothing else on it.
struct TooLargeForDevice : RenderError {
    using RenderError::RenderError;
};
struct DeviceLost : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// What is chosen by the kind of device (how compute shaders read, how pictures are antialiased, how far work
// is cut up): as for the device that it is, or as for a processor or a graphics card, whatever it is. The
// pictures are the same but for rounding; tests draw both ways on one machine.
enum class Tuning : std::uint8_t { by_device, processor, graphics };

// Of the build (VITRINE_LABEL_FONT): where Debian puts GNU Unifont.
std::filesystem::path default_label_font();

struct Options {
    // "auto" (a GPU before software), "software", an index of list_devices(), a part of a name; of several,
    // with commas between them, the first.
    std::string device = "auto";
    bool validation = false; // validation and synchronisation validation layers
    // Of the device's memory, for everything; 0: as much as the device says that it can give.
    std::uint64_t memory_bytes = 0;
    // For scenes that are kept, at most; two thirds of the memory anyway.
    std::uint64_t scene_cache_bytes = UINT64_MAX;
    bool antialias = true;          // 4 samples a pixel; false: one
    bool single_use = false;        // the process ends after them: nothing is made that only many pay for
    std::uint32_t texture_side = 0; // larger textures are scaled down; 0: as the device likes it
    Tuning tuning = Tuning::by_device;
    // Where compiled pipelines are kept for the next start; empty: nowhere. A file of another device or
    // driver, or a damaged one, is written anew. One process at a time has the best of it.
    std::filesystem::path pipeline_cache{};
    // The letters of joint names in other scripts than Latin, Greek and Cyrillic, as GNU Unifont's .hex; read
    // at the first such name, which shows its node's number where it cannot be read.
    std::filesystem::path label_font = default_label_font();
    // Told, on the thread of the Renderer, what is worth a line in a log.
    std::function<void(const std::string&)> notice{};
    // A submission that takes longer is given up: DeviceLost, and the device is left to itself.
    std::chrono::milliseconds submit_timeout{20'000};
};

struct DeviceInfo {
    std::string name;
    std::string driver; // name and version
    std::string api_version;
    bool software = false; // draws on the CPU
};

// Bytes of a device's own memory.
struct MemoryUse {
    std::uint64_t used = 0;   // by this Renderer
    std::uint64_t budget = 0; // that it may use in all
};

// Has the Vulkan loader leave out drivers that cannot give the device that is wanted (Options::device), by
// its environment variables; what the person has set there stays. Precondition: no other thread runs yet.
void disable_unused_drivers(const std::string& device);

// A moment of a clip; clip none: the static pose of the file.
struct Moment {
    std::uint32_t clip = scene::none;
    double time = 0.0; // seconds from the clip's start

    bool operator==(const Moment&) const = default;
};

using SharedScene = std::shared_ptr<const scene::Scene>;

// One picture of many that are drawn together.
struct FrameRequest {
    SharedScene scene;
    View view{};
    Moment moment{};
};

} // namespace vitrine::render
