#include "vk_renderer/passes/skinning.hpp"

#include <algorithm>

#include "vk_renderer/shaders/shaders.hpp"

namespace vitrine::render {
namespace {

constexpr std::uint32_t workgroup = 64;
constexpr std::uint32_t palette_binding = 1;

Layout create_layout(const Device& device)
{
    std::array<VkDescriptorType, 10> types{};
    types.fill(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
    types[palette_binding] = readable_type(device);
    return {device, types, VK_SHADER_STAGE_COMPUTE_BIT, sizeof(shared::SkinPush)};
}

} // namespace

SkinningPass::SkinningPass(const Device& device) : device_(&device), layout_(create_layout(device)) {}

VkPipeline SkinningPass::pipeline(std::size_t kind)
{
    auto& made = pipelines_[kind];
    if (!made)
        made = create_compute(
            *device_, layout_,
            shaders::skin(static_cast<shaders::SkinKind>(kind), device_->traits.read_through_texels));
    return made.get();
}

void SkinningPass::prepare()
{
    for (std::size_t kind = 0; kind < pipelines_.size(); ++kind)
        pipeline(kind);
}

void SkinningPass::bind(VkCommandBuffer commands, const GpuScene& scene, const SkinBatch& batch,
                        std::size_t kind) const
{
    Push push;
    push.storage(0, scene.vertices.get())
        .readable(palette_binding, *batch.palettes)
        .storage(2, batch.skinned->get());
    switch (static_cast<shaders::SkinKind>(kind)) {
    case shaders::SkinKind::rigid: push.storage(3, scene.rigid_joints.get()); break;
    case shaders::SkinKind::four:
        push.storage(3, scene.four_joints.get()).storage(4, scene.four_weights.get());
        break;
    case shaders::SkinKind::general:
    case shaders::SkinKind::dual:
        push.storage(3, scene.general_vertices.get())
            .storage(4, scene.blocks.get())
            .storage(5, scene.general_instances.get())
            .storage(6, scene.influence_positions.get())
            .storage(7, scene.deltas.get())
            .storage(8, scene.frame_vertices.get())
            .storage(9, batch.values->get());
        break;
    }
    push.record(*device_, commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_);
}

void SkinningPass::record(VkCommandBuffer commands, const GpuScene& scene, const SkinBatch& batch)
{
    const std::array ranges{scene.packed.rigid, scene.packed.four, scene.packed.general, scene.packed.dual};
    const auto per_invocation = std::min(device_->traits.frames_per_invocation, batch.frame_count);
    for (std::size_t kind = 0; kind < ranges.size(); ++kind) {
        if (ranges[kind].count == 0) continue;
        device_->vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline(kind));
        bind(commands, scene, batch, kind);
        push_constants(*device_, commands, layout_,
                       shared::SkinPush{.first_vertex = ranges[kind].first,
                                        .vertex_count = ranges[kind].count,
                                        .vertex_total = scene.vertex_count(),
                                        .frame_count = batch.frame_count,
                                        .frames_per_invocation = per_invocation,
                                        .palette_count = scene.packed.palette_count,
                                        .value_count = scene.packed.value_count,
                                        .first_general = ranges[kind].first - scene.packed.general.first,
                                        .first_rotation = scene.packed.first_rotation});
        device_->vk.vkCmdDispatch(commands, (ranges[kind].count + workgroup - 1) / workgroup,
                                  (batch.frame_count + per_invocation - 1) / per_invocation, 1);
    }
}

} // namespace vitrine::render
