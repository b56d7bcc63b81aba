#include "vk_renderer/passes/background_pass.hpp"

#include "vk_renderer/shaders/shaders.hpp"
#include "vk_renderer/shaders/shared.h"

namespace vitrine::render {
namespace {

// The descriptor types of ResolvePass without the samples.
constexpr std::array types{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                           VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};

} // namespace

BackgroundPass::BackgroundPass(const Device& device, VkSampleCountFlagBits samples)
    : device_(&device), samples_(samples),
      layout_(device, types, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT,
              sizeof(shared::ResolvePushConstants)),
      shade_(create_sampler(device, {.mipmaps = VK_SAMPLER_MIPMAP_MODE_NEAREST,
                                     .u = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                     .v = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE}))
{
}

VkPipeline BackgroundPass::pipeline(bool studio)
{
    auto& made = studio ? studio_ : plain_;
    const std::array constants{studio ? 1u : 0u};
    if (!made)
        made = create_graphics(*device_, layout_,
                               {.vertex = shaders::resolve_vertex(),
                                .fragment = shaders::background_per_sample(),
                                .constants = constants,
                                .color = color_format,
                                .depth = depth_format,
                                .samples = samples_,
                                .depth_write = false});
    return made.get();
}

void BackgroundPass::record(VkCommandBuffer commands, const RenderTargets& layer, const Inputs& inputs)
{
    DescriptorWriter()
        .uniform(1, inputs.uniforms, inputs.uniform_offset, sizeof(shared::FrameParams))
        .sampled(2, layer.shade.view(), shade_.get())
        .storage(3, inputs.bounds)
        .record(*device_, commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_);
    const auto along = static_cast<float>(device_->traits.samples_along());
    push_constants(*device_, commands, layout_,
                   shared::ResolvePushConstants{.clip_per_pixel = 2.0f / inputs.size,
                                                .texel = glm::vec2(1.0f / along),
                                                .box = shared::no_box});
    device_->vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline(inputs.studio));
    device_->vk.vkCmdDraw(commands, 6, 1, 0, 0);
}

} // namespace vitrine::render
