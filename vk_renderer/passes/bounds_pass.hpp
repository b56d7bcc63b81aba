#pragma once
// Reduces the skinned vertices of each pose to its exact box on the device. Vertices and boxes are in scene
// axes and meters, relative to PackedScene::origin.

#include <array>

#include "loaders/scene/bounds/bounds.hpp"
#include "vk_renderer/gpu/pipeline.hpp"
#include "vk_renderer/scene/gpu_scene.hpp"

namespace vitrine::render {

// A pose's box as written by the device: integers in the order of the floats that they encode.
struct EncodedBounds {
    std::uint32_t min[3];
    std::uint32_t max[3];
    std::uint32_t padding[2];
};
static_assert(sizeof(EncodedBounds) == 32);

scene::Aabb decode(const EncodedBounds& bounds);

class BoundsPass {
public:
    explicit BoundsPass(const Device& device);
    // clear() resets `bounds` (transfer), record() fills it (compute). The caller adds the barriers.
    void clear(VkCommandBuffer commands, VkBuffer bounds, std::uint32_t pose_count) const;
    void record(VkCommandBuffer commands, const GpuScene& scene, const Buffer& skinned, VkBuffer bounds,
                std::uint32_t pose_count);
    // Creates all pipelines.
    void prepare();

private:
    VkPipeline pipeline(bool masked);

    const Device* device_;
    PipelineLayout layout_;
    // For all vertices, for the vertices in use; created on first use.
    std::array<PipelineHandle, 2> pipelines_;
};

} // namespace vitrine::render
