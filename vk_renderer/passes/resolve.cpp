#include "vk_renderer/passes/resolve.hpp"

#include "vk_renderer/shaders/shaders.hpp"
#include "vk_renderer/shaders/shared.h"

namespace vitrine::render {

ResolvePass::ResolvePass(const Device& device, bool multisample)
    : device_(&device),
      layout_(device,
              std::array{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
              VK_SHADER_STAGE_COMPUTE_BIT, sizeof(shared::ResolvePush)),
      pipeline_(create_compute(device, layout_, shaders::resolve(multisample))),
      sampler_(
          create_sampler(device, {.filter = VK_FILTER_NEAREST, .mipmaps = VK_SAMPLER_MIPMAP_MODE_NEAREST}))
{
}

void ResolvePass::record(VkCommandBuffer commands, const Layer& layer, VkBuffer pixels, VkDeviceSize offset,
                         std::uint32_t width, std::uint32_t height) const
{
    device_->vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_.get());
    Push()
        .sampled(0, layer.colour.view(), sampler_.get())
        .storage(1, pixels, offset, VkDeviceSize{width} * height * 4)
        .record(*device_, commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_);
    push_constants(*device_, commands, layout_, shared::ResolvePush{width, height});
    device_->vk.vkCmdDispatch(commands, (width + 7) / 8, (height + 7) / 8, 1);
}

} // namespace vitrine::render
