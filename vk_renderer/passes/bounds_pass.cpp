#include "vk_renderer/passes/bounds_pass.hpp"

#include <algorithm>
#include <bit>

#include "vk_renderer/shaders/shaders.hpp"

namespace vitrine::render {
namespace {

constexpr std::uint32_t bounds_workgroup = 64;

float unordered(std::uint32_t bits)
{
    return std::bit_cast<float>((bits & 0x80000000u) != 0 ? bits & 0x7FFFFFFFu : ~bits);
}

PipelineLayout bounds_layout(const Device& device)
{
    const std::array types{storage_or_texel_type(device), storage_or_texel_type(device),
                           VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
    return {device, types, VK_SHADER_STAGE_COMPUTE_BIT, sizeof(shared::BoundsPushConstants)};
}

} // namespace

scene::Aabb decode(const EncodedBounds& b)
{
    return {{unordered(b.min[0]), unordered(b.min[1]), unordered(b.min[2])},
            {unordered(b.max[0]), unordered(b.max[1]), unordered(b.max[2])}};
}

BoundsPass::BoundsPass(const Device& device) : device_(&device), layout_(bounds_layout(device)) {}

VkPipeline BoundsPass::pipeline(bool masked)
{
    auto& made = pipelines_[masked ? 1 : 0];
    if (!made)
        made =
            create_compute(*device_, layout_, shaders::bounds(device_->traits.prefers_texel_buffers, masked));
    return made.get();
}

void BoundsPass::prepare()
{
    for (const bool masked : {false, true})
        pipeline(masked);
}

void BoundsPass::clear(VkCommandBuffer commands, VkBuffer bounds, std::uint32_t pose_count) const
{
    for (VkDeviceSize frame = 0; frame < pose_count; ++frame) {
        const auto at = frame * sizeof(EncodedBounds);
        device_->vk.vkCmdFillBuffer(commands, bounds, at, 12, 0xFFFFFFFFu);
        device_->vk.vkCmdFillBuffer(commands, bounds, at + 12, 12, 0);
    }
}

void BoundsPass::record(VkCommandBuffer commands, const GpuScene& scene, const Buffer& skinned,
                        VkBuffer bounds, std::uint32_t pose_count)
{
    device_->vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline(scene.has_unused));
    DescriptorWriter()
        .storage_or_texels(0, skinned)
        .storage_or_texels(1, scene.used)
        .storage(2, bounds)
        .record(*device_, commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_);
    push_constants(*device_, commands, layout_,
                   shared::BoundsPushConstants{scene.vertex_count(), scene.has_unused ? 1u : 0u});
    // A few long loops on a CPU, enough threads to fill a GPU.
    const auto groups =
        std::clamp((scene.vertex_count() + bounds_workgroup * 16 - 1) / (bounds_workgroup * 16), 1u,
                   device_->traits.software ? 8u : 128u);
    device_->vk.vkCmdDispatch(commands, groups, pose_count, 1);
}

} // namespace vitrine::render
