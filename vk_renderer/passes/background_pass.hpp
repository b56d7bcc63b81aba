#pragma once
// Draws the backdrop and ground shadow into the multisampled target where nothing opaque is: a background
// seen through tinted surfaces must be drawn before them. Otherwise ResolvePass draws it, once per pixel.

#include "vk_renderer/gpu/pipeline.hpp"
#include "vk_renderer/passes/render_targets.hpp"

namespace vitrine::render {

class BackgroundPass {
public:
    BackgroundPass(const Device& device, VkSampleCountFlagBits samples);

    struct Inputs {
        VkBuffer uniforms; // FrameParams
        VkDeviceSize uniform_offset;
        VkBuffer bounds; // EncodedBounds; without effect on the result
        glm::vec2 size;  // pixels
        bool studio;     // backdrop or ground; otherwise a uniform background color
    };
    // Called within the rendering of a frame with an opaque background; changes pipeline, descriptors and
    // push constants, and requires culling to be off.
    void record(VkCommandBuffer commands, const RenderTargets& layer, const Inputs& inputs);

private:
    VkPipeline pipeline(bool studio);

    const Device* device_;
    VkSampleCountFlagBits samples_;
    Layout layout_;
    SamplerHandle shade_;
    PipelineHandle plain_, studio_; // created on first use
};

} // namespace vitrine::render
