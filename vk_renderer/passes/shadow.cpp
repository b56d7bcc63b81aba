#include "vk_renderer/passes/shadow.hpp"

#include "vk_renderer/passes/attachments.hpp"
#include "vk_renderer/shaders/shaders.hpp"

namespace vitrine::render {
namespace {

PipelineHandle create_heights(const Device& device, const Layout& layout, VkPrimitiveTopology topology)
{
    static constexpr std::array position{
        VkVertexInputAttributeDescription{0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0}};
    static constexpr std::array streams{VertexStream{16, position}};
    return create_graphics(device, layout,
                           {.vertex = shaders::shadow_vertex(),
                            .fragment = {},
                            .streams = streams,
                            .topology = topology,
                            .depth = depth_format,
                            .compare = VK_COMPARE_OP_LESS});
}

} // namespace

ShadowPass::ShadowPass(const Device& device)
    : device_(&device),
      heights_layout_(device, std::array{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER}, VK_SHADER_STAGE_VERTEX_BIT, 0),
      blur_layout_(device,
                   std::array{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE},
                   VK_SHADER_STAGE_COMPUTE_BIT, sizeof(shared::BlurPush)),
      triangles_(create_heights(device, heights_layout_, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST)),
      lines_(create_heights(device, heights_layout_, VK_PRIMITIVE_TOPOLOGY_LINE_LIST)),
      points_(create_heights(device, heights_layout_, VK_PRIMITIVE_TOPOLOGY_POINT_LIST)),
      blur_(create_compute(device, blur_layout_, shaders::blur())),
      sampler_(
          create_sampler(device, {.filter = VK_FILTER_NEAREST, .mipmaps = VK_SAMPLER_MIPMAP_MODE_NEAREST}))
{
}

void ShadowPass::record_heights(VkCommandBuffer commands, const GpuScene& scene, const Layer& layer,
                                VkBuffer skinned, VkDeviceSize skinned_offset, VkBuffer uniforms,
                                VkDeviceSize uniform_offset) const
{
    const auto& vk = device_->vk;
    begin_rendering(*device_, commands, {.depth = &layer.shadow, .clear_depth = 1.0f, .keep_depth = true},
                    shadow_size, shadow_size);
    Push()
        .uniform(0, uniforms, uniform_offset, sizeof(shared::FrameParams))
        .record(*device_, commands, VK_PIPELINE_BIND_POINT_GRAPHICS, heights_layout_);
    vk.vkCmdBindVertexBuffers(commands, 0, 1, &skinned, &skinned_offset);
    vk.vkCmdBindIndexBuffer(commands, scene.indices.get(), 0, VK_INDEX_TYPE_UINT32);
    VkPipeline bound = VK_NULL_HANDLE;
    for (const auto& item : scene.packed.draws) {
        const auto pipeline = item.topology == scene::Topology::triangles ? triangles_.get()
                              : item.topology == scene::Topology::lines   ? lines_.get()
                                                                          : points_.get();
        if (pipeline != bound)
            vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, bound = pipeline);
        vk.vkCmdDrawIndexed(commands, item.index_count, 1, item.first_index, item.vertex_offset, 0);
    }
    vk.vkCmdEndRendering(commands);
}

void ShadowPass::record_blur(VkCommandBuffer commands, const Layer& layer, bool vertical) const
{
    device_->vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, blur_.get());
    Push()
        .sampled(0, vertical ? layer.half_blurred.view() : layer.shadow.view(), sampler_.get())
        .image(1, vertical ? layer.shade.view() : layer.half_blurred.view())
        .record(*device_, commands, VK_PIPELINE_BIND_POINT_COMPUTE, blur_layout_);
    push_constants(*device_, commands, blur_layout_, shared::BlurPush{shade_size, vertical ? 1u : 0u});
    device_->vk.vkCmdDispatch(commands, shade_size / 8, shade_size / 8, 1);
}

} // namespace vitrine::render
