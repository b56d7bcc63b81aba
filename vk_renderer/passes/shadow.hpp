#pragma once
// The soft shadow on the ground: the model thrown onto the floor along the key light as a map of heights,
// then blurred the more the higher the caster is.

#include "vk_renderer/gpu/pipeline.hpp"
#include "vk_renderer/passes/targets.hpp"
#include "vk_renderer/scene/gpu_scene.hpp"

namespace vitrine::render {

class ShadowPass {
public:
    explicit ShadowPass(const Device& device);

    void record_heights(VkCommandBuffer commands, const GpuScene& scene, const Layer& layer, VkBuffer skinned,
                        VkDeviceSize skinned_offset, VkBuffer uniforms, VkDeviceSize uniform_offset) const;
    // Horizontal, then (after a barrier of the caller's) vertical.
    void record_blur(VkCommandBuffer commands, const Layer& layer, bool vertical) const;

private:
    const Device* device_;
    Layout heights_layout_, blur_layout_;
    PipelineHandle triangles_, lines_, points_, blur_;
    SamplerHandle sampler_;
};

} // namespace vitrine::render
