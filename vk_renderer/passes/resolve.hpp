#pragma once
// Samples to finished pixels, written where the host reads them.

#include "vk_renderer/gpu/pipeline.hpp"
#include "vk_renderer/passes/targets.hpp"

namespace vitrine::render {

class ResolvePass {
public:
    ResolvePass(const Device& device, bool multisample);
    // `pixels`: width * height words at `offset`.
    void record(VkCommandBuffer commands, const Layer& layer, VkBuffer pixels, VkDeviceSize offset,
                std::uint32_t width, std::uint32_t height) const;

private:
    const Device* device_;
    Layout layout_;
    PipelineHandle pipeline_;
    SamplerHandle sampler_;
};

} // namespace vitrine::render
