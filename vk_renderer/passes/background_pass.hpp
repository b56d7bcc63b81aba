#pragma once
// Backdrop and shadow on the ground among the samples, where nothing opaque is: what a transparent surface
// tints must be there before it. Otherwise ResolvePass draws them, once a pixel.

#include "vk_renderer/gpu/pipeline.hpp"
#include "vk_renderer/passes/render_targets.hpp"

namespace vitrine::render {

class BackgroundPass {
public:
    BackgroundPass(const Device& device, VkSampleCountFlagBits samples);

    struct Inputs {
        VkBuffer uniforms; // FrameParams
        VkDeviceSize uniform_offset;
        VkBuffer bounds; // EncodedBounds; read, and nothing depends on them
        glm::vec2 size;  // pixels
        bool studio;     // backdrop or ground; otherwise the background is one color
    };
    // Within the rendering of a frame whose background is opaque; unbinds pipeline, descriptors and
    // constants, and wants no culling.
    void record(VkCommandBuffer commands, const RenderTargets& layer, const Inputs& inputs);

private:
    VkPipeline pipeline(bool studio);

    const Device* device_;
    VkSampleCountFlagBits samples_;
    Layout layout_;
    SamplerHandle shade_;
    PipelineHandle plain_, studio_; // made when first needed
};

} // namespace vitrine::render
