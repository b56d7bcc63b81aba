#include "vk_renderer/passes/bounds_pass.hpp"

#include <algorithm>
#include <bit>

#include "vk_renderer/shaders/shaders.hpp"

namespace vitrine::render {
namespace {

constexpr std::uint32_t workgroup = 64;

float unordered(std::uint32_t bits)
{
    return std::bit_cast<float>((bits & 0x80000000u) != 0 ? bits & 0x7FFFFFFFu : ~bits);
}

Layout create_layout(const Device& device)
{
    const std::array types{readable_type(device), VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                           VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
    return {device, types, VK_SHADER_STAGE_COMPUTE_BIT, sizeof(shared::BoundsPush)};
}

} // namespace

scene::Aabb decode(const EncodedBounds& b)
{
    return {{unordered(b.min[0]), unordered(b.min[1]), unordered(b.min[2])},
            {unordered(b.max[0]), unordered(b.max[1]), unordered(b.max[2])}};
}

BoundsPass::BoundsPass(const Device& device)
    : device_(&device), layout_(create_layout(device)),
      all_(create_compute(device, layout_, shaders::bounds(device.traits.read_through_texels, false))),
      masked_(create_compute(device, layout_, shaders::bounds(device.traits.read_through_texels, true)))
{
}

void BoundsPass::clear(VkCommandBuffer commands, VkBuffer bounds, std::uint32_t frame_count) const
{
    for (VkDeviceSize frame = 0; frame < frame_count; ++frame) {
        const auto at = frame * sizeof(EncodedBounds);
        device_->vk.vkCmdFillBuffer(commands, bounds, at, 12, 0xFFFFFFFFu);
        device_->vk.vkCmdFillBuffer(commands, bounds, at + 12, 12, 0);
    }
}

void BoundsPass::record(VkCommandBuffer commands, const GpuScene& scene, const Buffer& skinned,
                        VkBuffer bounds, std::uint32_t frame_count) const
{
    const auto& pipeline = scene.has_unused ? masked_ : all_;
    device_->vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.get());
    Push()
        .readable(0, skinned)
        .storage(1, scene.used.get())
        .storage(2, bounds)
        .record(*device_, commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_);
    push_constants(*device_, commands, layout_,
                   shared::BoundsPush{scene.vertex_count(), scene.has_unused ? 1u : 0u});
    // A few long walks on a CPU, enough threads to fill a GPU.
    const auto groups = std::clamp((scene.vertex_count() + workgroup * 16 - 1) / (workgroup * 16), 1u,
                                   device_->traits.software ? 8u : 128u);
    device_->vk.vkCmdDispatch(commands, groups, frame_count, 1);
}

} // namespace vitrine::render
