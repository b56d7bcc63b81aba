#pragma once
// Passes that draw the background (backdrop, color, ground shadow): ResolvePass once per pixel, under the
// resolved samples; BackgroundPass into the samples.

#include <span>
#include <vector>

#include "vk_renderer/gpu/async_lazy.hpp"
#include "vk_renderer/gpu/pipeline.hpp"
#include "vk_renderer/passes/render_targets.hpp"

namespace vitrine::render {

// Resolves samples over the background into final pixels.
class ResolvePass {
public:
    explicit ResolvePass(const Device& device);
    ResolvePass(const ResolvePass&) = delete;
    ResolvePass& operator=(const ResolvePass&) = delete;
    struct ResolveArea {
        std::uint32_t width, height;
        bool studio; // backdrop or ground; otherwise a uniform background color
    };
    struct Inputs {
        VkBuffer uniforms; // ImageParams
        VkDeviceSize uniform_offset;
        VkBuffer bounds;   // EncodedBounds
        std::uint32_t box; // index of the box that contains everything drawn, or shared::no_box
    };
    // Writes the target's `pixels`.
    void record(VkCommandBuffer commands, const RenderTargets& target, const Inputs& inputs,
                const ResolveArea& area);
    // Copies them to width * height words at `offset`.
    void copy(VkCommandBuffer commands, const RenderTargets& target, const ResolveArea& area, VkBuffer to,
              VkDeviceSize offset) const;

private:
    struct RegionDraw {
        PipelineHandle pipeline;
        std::uint32_t vertices;
    };
    RegionDraw create(bool studio, bool samples, std::uint32_t ground_region) const;
    std::vector<RegionDraw> create_parts(bool studio) const;
    std::span<const RegionDraw> parts(bool studio);

    const Device* device_;
    PipelineLayout layout_;
    SamplerHandle corner_, shadow_sampler_;
    std::vector<RegionDraw> plain_; // created on first use
    AsyncLazy<std::vector<RegionDraw>> studio_;
};

// Draws the backdrop and ground shadow into the multisampled target where nothing opaque is: a background
// seen through tinted surfaces must be drawn before them.
class BackgroundPass {
public:
    BackgroundPass(const Device& device, VkSampleCountFlagBits samples);

    struct Inputs {
        VkBuffer uniforms; // ImageParams
        VkDeviceSize uniform_offset;
        VkBuffer bounds; // EncodedBounds; without effect on the result
        glm::vec2 size;  // pixels
        bool studio;     // backdrop or ground; otherwise a uniform background color
    };
    // Called within the rendering of a frame with an opaque background; changes pipeline, descriptors and
    // push constants, and requires culling to be off.
    void record(VkCommandBuffer commands, const RenderTargets& target, const Inputs& inputs);

private:
    VkPipeline pipeline(bool studio);

    const Device* device_;
    VkSampleCountFlagBits samples_;
    PipelineLayout layout_;
    SamplerHandle shadow_sampler_;
    PipelineHandle plain_, studio_; // created on first use
};

} // namespace vitrine::render
