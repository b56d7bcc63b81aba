#pragma once
// The logical device with its single queue, function table, traits and extensions. Owned by one thread.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "vk_renderer/base/options.hpp"
#include "vk_renderer/gpu/instance.hpp"
#include "vk_renderer/gpu/memory.hpp"
#include "vk_renderer/gpu/vulkan.hpp"

namespace vitrine::render {

// Preferences of a device among equivalent code paths.
struct DeviceTraits {
    bool software = false;
    // lavapipe loads storage buffers one lane at a time, but texels of an image eight at a time: compute
    // shaders read 3 times faster from an image view of the same buffer. (Reads from a sampled texel buffer
    // are function calls there, a tenth slower.) Requires 64-bit integers, in which those shaders then store.
    bool prefers_texel_buffers = false;
    // Poses that one invocation of the skinning shader computes at most. A CPU: all, the vertex stays in
    // registers. A card: a vertex is 40 bytes, its pose 16; in eight poses they are read once instead of
    // eight times, as long as so many invocations remain that the card's lanes are in use.
    std::uint32_t poses_per_invocation = 8;
    std::uint32_t min_skinning_invocations = 1u << 18;
    bool antialias = true;
    bool single_use = false; // Options::single_use
    // 2x2 supersampling instead of 4x multisampling: faster on lavapipe above a few thousand vertices.
    bool supersample = false;
    std::uint32_t texture_limit = 4096; // larger textures are scaled down
    // The host writes textures directly to linearly tiled images without staging buffers. GPUs read such
    // images slowly.
    bool linear_textures = false;
    // Anisotropic filtering in the shader (anisotropy.glsl). That of lavapipe reads every texel of the
    // rectangle around a pixel's footprint: an image that repeats often on a surface seen from its edge would
    // take minutes.
    bool shader_anisotropy = false;
    // Not automatic. Data-centre cards have few raster units: fragments run on about 4 of 132 multiprocessors
    // of an H200, compute shaders on all.
    ResolvePath resolve_path = ResolvePath::compute_to_host;

    bool resolves_in_compute() const { return resolve_path != ResolvePath::fragment; }
    bool multisample() const { return antialias && !supersample; }
    std::uint32_t samples_along() const
    {
        return supersample ? 2 : 1;
    } // samples per pixel along an image axis
};

// Optional extensions, enabled if the device has them.
struct DeviceExtensions {
    bool memory_budget = false;
    bool robustness2 = false; // reads outside a buffer or image return 0
    // VK_EXT_pipeline_robustness: pipelines whose indices were validated do without.
    bool pipeline_robustness = false;
    // VK_EXT_external_memory_host: of addresses and sizes that can be imported; 0: without the extension.
    std::uint64_t host_pointer_alignment = 0;
};

class PipelineCache;

class Device {
public:
    Device(VulkanInstance& instance, VkPhysicalDevice physical, const Options& options = {});
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    // Stops all use of the device after a hung submission: lavapipe would join a blocked thread.
    void abandon();
    bool abandoned() const { return abandoned_; }

    // Called when an image is rendered: keeps memory that the driver allocates and frees per draw for reuse.
    void keep_driver_memory();

    Memory& memory() const { return *memory_; }
    PipelineCache& pipelines() const { return *pipelines_; }
    // Names an object for the validation layers' messages; does nothing without them.
    void name(VkObjectType type, std::uint64_t object, std::string_view name) const;

    VolkDeviceTable vk{};
    VkDevice handle = VK_NULL_HANDLE;
    VkQueue queue = VK_NULL_HANDLE;
    std::uint32_t queue_family = 0;
    std::uint32_t timestamp_bits = 0; // of the queue's timestamps; 0: none
    VkPhysicalDeviceLimits limits{};
    VkPhysicalDeviceFeatures features{}; // enabled features
    DeviceExtensions extensions;
    DeviceTraits traits;
    DeviceInfo info;

private:
    void create(VkPhysicalDevice physical);

    VulkanInstance* instance_;
    std::unique_ptr<Memory> memory_;
    std::unique_ptr<PipelineCache> pipelines_;
    bool abandoned_ = false;
    bool keeps_driver_memory_ = false;
};

// A device with its instance: what its memory needs to stay mapped.
struct DeviceContext {
    explicit DeviceContext(const Options& options); // as choose_device()

    VulkanInstance instance;
    Device device;
};

} // namespace vitrine::render
