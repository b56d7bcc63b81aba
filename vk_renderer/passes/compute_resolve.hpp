#pragma once
// Resolves samples over the background into pixels of a buffer: ResolvePass as a compute shader.

#include "vk_renderer/gpu/async_lazy.hpp"
#include "vk_renderer/gpu/pipeline.hpp"
#include "vk_renderer/passes/render_targets.hpp"
#include "vk_renderer/passes/resolve.hpp"

namespace vitrine::render {

class ComputeResolvePass {
public:
    explicit ComputeResolvePass(const Device& device);
    ComputeResolvePass(const ComputeResolvePass&) = delete;
    ComputeResolvePass& operator=(const ComputeResolvePass&) = delete;

    struct Inputs {
        VkBuffer uniforms; // ImageParams
        VkDeviceSize uniform_offset;
        VkBuffer pixels; // receives width * height words at `pixels_offset`, a multiple of 256
        VkDeviceSize pixels_offset;
    };
    // Reads the target's samples and its blurred shadow. Images of a batch need no barriers between them.
    void record(VkCommandBuffer commands, const RenderTargets& target, const Inputs& inputs,
                const ResolvePass::ResolveArea& area);

private:
    PipelineHandle create(bool studio) const;
    VkPipeline pipeline(bool studio);

    const Device* device_;
    PipelineLayout layout_;
    SamplerHandle corner_, shadow_sampler_;
    PipelineHandle plain_; // created on first use
    AsyncLazy<PipelineHandle> studio_;
};

} // namespace vitrine::render
