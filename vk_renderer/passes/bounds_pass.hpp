#pragma once
// The exact box of each frame, reduced on the device from the skinned vertices.

#include <array>

#include "loaders/scene/bounds/bounds.hpp"
#include "vk_renderer/gpu/pipeline.hpp"
#include "vk_renderer/scene/gpu_scene.hpp"

namespace vitrine::render {

// A frame's box as the device writes it: integers in the order of the floats they stand for.
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
    // Empties `bounds` (transfer), then fills it (compute). The caller's barriers order both against others.
    void clear(VkCommandBuffer commands, VkBuffer bounds, std::uint32_t frame_count) const;
    void record(VkCommandBuffer commands, const GpuScene& scene, const Buffer& skinned, VkBuffer bounds,
                std::uint32_t frame_count);
    // Makes all pipelines now.
    void prepare();

private:
    VkPipeline pipeline(bool masked);

    const Device* device_;
    Layout layout_;
    std::array<PipelineHandle, 2> pipelines_; // for all vertices, for the masked; made when first needed
};

} // namespace vitrine::render
