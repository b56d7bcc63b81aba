#pragma once
// The logical device with its one queue, its table of functions and what it can do. Owned by one thread.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "vk_renderer/base/types.hpp"
#include "vk_renderer/gpu/instance.hpp"
#include "vk_renderer/gpu/memory.hpp"
#include "vk_renderer/gpu/vulkan.hpp"

namespace vitrine::render {

// What a device prefers where several ways are right.
struct DeviceTraits {
    bool software = false;
    // lavapipe loads a storage block lane by lane, but the texels of an image eight at a time: what compute
    // shaders read is read 3 times faster as an image of the same buffer. (As a sampled texel buffer each
    // read is a call there, a tenth slower.) Needs 64-bit integers, in which those shaders then store.
    bool prefers_texel_buffers = false;
    // Frames one skinning invocation walks: all on a CPU (the vertex stays in registers), one on a GPU.
    std::uint32_t frames_per_invocation = 1;
    bool antialias = true;
    bool single_use = false; // Options::single_use
    // 2x2 supersampling instead of 4 samples: cheaper on lavapipe from some thousand vertices on.
    bool supersample = false;
    std::uint32_t texture_limit = 4096; // larger textures are scaled down
    // The host writes textures where they stay, tiled linearly: nothing is staged and copied. A GPU reads
    // such images slowly.
    bool linear_textures = false;

    bool multisample() const { return antialias && !supersample; }
    std::uint32_t samples_along() const { return supersample ? 2 : 1; } // an axis of an image, a pixel
};

// What a device may have and is switched on where it does.
struct DeviceExtensions {
    bool memory_budget = false;
    bool robustness2 = false; // what lies outside a buffer or image reads as 0, exactly
};

class PipelineCache;

class Device {
public:
    Device(Instance& instance, VkPhysicalDevice physical, const Options& options = {});
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    // After a hung submission nothing of the device is touched again: lavapipe would join a stuck thread.
    void abandon();
    bool abandoned() const { return abandoned_; }

    // Said when a picture is drawn: what the driver allocates and frees for each is kept for the next.
    void keep_driver_memory();

    Memory& memory() const { return *memory_; }
    PipelineCache& pipelines() const { return *pipelines_; }
    // For the validation layers' messages; does nothing without them.
    void name(VkObjectType type, std::uint64_t object, std::string_view name) const;

    VolkDeviceTable vk{};
    VkDevice handle = VK_NULL_HANDLE;
    VkQueue queue = VK_NULL_HANDLE;
    std::uint32_t queue_family = 0;
    VkPhysicalDeviceLimits limits{};
    VkPhysicalDeviceFeatures features{}; // the enabled ones
    DeviceExtensions extensions;
    DeviceTraits traits;
    DeviceInfo info;

private:
    void create(VkPhysicalDevice physical);

    Instance* instance_;
    std::unique_ptr<Memory> memory_;
    std::unique_ptr<PipelineCache> pipelines_;
    bool abandoned_ = false;
    bool keeps_driver_memory_ = false;
};

} // namespace vitrine::render
