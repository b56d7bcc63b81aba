#pragma once
// Samples and what is behind them (backdrop, background, shadow on the ground) to finished pixels, written
// where the host reads them.

#include "vk_renderer/gpu/pipeline.hpp"
#include "vk_renderer/passes/targets.hpp"

namespace vitrine::render {

class ResolvePass {
public:
    ResolvePass(const Device& device, bool multisample);
    struct Target {
        VkBuffer pixels; // width * height words at `offset`
        VkDeviceSize offset;
        std::uint32_t width, height;
        bool studio; // backdrop or ground; otherwise the background is one colour
    };
    // `uniforms`: the frame's FrameParams at `uniform_offset`.
    void record(VkCommandBuffer commands, const Layer& layer, VkBuffer uniforms, VkDeviceSize uniform_offset,
                const Target& target) const;

private:
    const Device* device_;
    Layout layout_;
    PipelineHandle plain_, studio_;
    SamplerHandle corner_, shade_;
};

} // namespace vitrine::render
