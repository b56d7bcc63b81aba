#pragma once
// The soft shadow on the ground: the model thrown onto the floor along the key light as a map of heights,
// then blurred the more the higher the caster is.

#include <array>

#include "vk_renderer/gpu/pipeline.hpp"
#include "vk_renderer/passes/targets.hpp"
#include "vk_renderer/scene/gpu_scene.hpp"

namespace vitrine::render {

class ShadowPass {
public:
    explicit ShadowPass(const Device& device);

    // One frame. `uniforms`: its FrameParams at `uniform_offset`.
    struct Frame {
        const Layer& layer;
        const Buffer& skinned;
        std::uint32_t first_vertex; // of the frame in `skinned`
        VkBuffer uniforms;
        VkDeviceSize uniform_offset;
        const shared::FrameParams& params;
        std::span<const scene::PaletteEntry> palette; // on the host
    };
    void clear(VkCommandBuffer commands, const Layer& layer) const;
    void record_heights(VkCommandBuffer commands, const GpuScene& scene, const Frame& frame);
    // Horizontal, then (after a barrier of the caller's) vertical.
    void record_blur(VkCommandBuffer commands, const Layer& layer, bool vertical) const;

private:
    const Device* device_;
    Layout cast_layout_, thin_layout_, blur_layout_;
    void record_run(VkCommandBuffer commands, const GpuScene& scene, const Frame& frame,
                    const Caster& run) const;
    void record_thin(VkCommandBuffer commands, const GpuScene& scene, const Frame& frame, const ThinRun& run);

    PipelineHandle cast_, cast_vertices_;
    PipelineHandle cast_thin_;           // made for the first scene that needs it
    std::array<PipelineHandle, 2> blur_; // across, down
    SamplerHandle sampler_;
};

} // namespace vitrine::render
