#include "vk_renderer/passes/resolve.hpp"

#include "vk_renderer/shaders/shaders.hpp"
#include "vk_renderer/shaders/shared.h"

namespace vitrine::render {

ResolvePass::ResolvePass(const Device& device, bool multisample)
    : device_(&device),
      layout_(device,
              std::array{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                         VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER},
              VK_SHADER_STAGE_COMPUTE_BIT, sizeof(shared::ResolvePush)),
      plain_(create_compute(device, layout_, shaders::resolve(multisample), std::array{0u})),
      studio_(create_compute(device, layout_, shaders::resolve(multisample), std::array{1u})),
      corner_(create_sampler(device, {.mipmaps = VK_SAMPLER_MIPMAP_MODE_NEAREST})),
      shade_(create_sampler(device, {.mipmaps = VK_SAMPLER_MIPMAP_MODE_NEAREST,
                                     .u = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                     .v = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE}))
{
}

void ResolvePass::record(VkCommandBuffer commands, const Layer& layer, VkBuffer uniforms,
                         VkDeviceSize uniform_offset, const Target& target) const
{
    device_->vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                                  (target.studio ? studio_ : plain_).get());
    Push()
        .sampled(0, layer.colour.view(), corner_.get())
        .storage(1, target.pixels, target.offset, VkDeviceSize{target.width} * target.height * 4)
        .uniform(2, uniforms, uniform_offset, sizeof(shared::FrameParams))
        .sampled(3, layer.shade.view(), shade_.get())
        .record(*device_, commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_);
    push_constants(*device_, commands, layout_, shared::ResolvePush{target.width, target.height});
    device_->vk.vkCmdDispatch(commands, (target.width + 7) / 8, (target.height + 7) / 8, 1);
}

} // namespace vitrine::render
