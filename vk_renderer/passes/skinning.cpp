#include "vk_renderer/passes/skinning.hpp"

#include <algorithm>
#include <array>

namespace vitrine::render {
namespace {

using shaders::SkinKind;

constexpr std::uint32_t skinning_workgroup = 64;
constexpr std::uint32_t output_binding = 2;
constexpr std::uint32_t tangents_binding = 12;

PipelineLayout skinning_layout(const Device& device)
{
    std::array<VkDescriptorType, 14> types{};
    types.fill(storage_or_texel_type(device));
    types[output_binding] = types[tangents_binding] = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    return {device, types, VK_SHADER_STAGE_COMPUTE_BIT, sizeof(shared::SkinPushConstants)};
}

// Range of a kind's vertices and its offset in the joint and weight arrays, or in the skinN vertices.
struct DispatchRange {
    SkinKind kind;
    Range range;
    std::uint32_t first_input = 0;
};

std::array<DispatchRange, 5> dispatch_ranges(const PackedScene& scene)
{
    return {{{SkinKind::skin1, scene.skin1},
             {SkinKind::skin4, scene.skin4},
             {SkinKind::dqs4, scene.dqs4, scene.skin4.count},
             {SkinKind::skinN, scene.skinN},
             {SkinKind::dqsN, scene.dqsN, scene.skinN.count}}};
}

bool is_skinN(SkinKind kind)
{
    return kind == SkinKind::skinN || kind == SkinKind::dqsN;
}

bool is_dqs(SkinKind kind)
{
    return kind == SkinKind::dqs4 || kind == SkinKind::dqsN;
}

} // namespace

SkinningPass::SkinningPass(const Device& device) : device_(&device), layout_(skinning_layout(device)) {}

VkPipeline SkinningPass::pipeline(const Variant& variant)
{
    auto& made = pipelines_[variant];
    if (!made) {
        const std::array<std::uint32_t, 5> constants{variant.morphs, variant.frames, variant.positions,
                                                     variant.non_rigid, variant.tangents};
        made = create_compute(*device_, layout_,
                              shaders::skin(variant.kind, device_->traits.prefers_texel_buffers), constants);
    }
    return made.get();
}

SkinningPass::Variant SkinningPass::variant_of(const PackedScene& scene, const SkinBatch& batch,
                                               SkinKind kind)
{
    const bool skinN = is_skinN(kind);
    return {.kind = kind,
            .morphs = skinN && scene.has_morphs,
            .frames = skinN && scene.has_frames,
            .positions = skinN && scene.has_positions,
            .non_rigid = is_dqs(kind) && batch.non_rigid,
            .tangents = batch.tangents != nullptr};
}

void SkinningPass::prepare()
{
    for (const auto kind : {SkinKind::skin1, SkinKind::skin4, SkinKind::skinN})
        pipeline({.kind = kind});
}

void SkinningPass::bind(VkCommandBuffer commands, const GpuScene& scene, const SkinBatch& batch,
                        SkinKind kind) const
{
    DescriptorWriter descriptors;
    descriptors.storage_or_texels(0, scene.vertices)
        .storage_or_texels(1, *batch.palettes)
        .storage(output_binding, batch.skinned->get());
    if (kind == SkinKind::skin1) descriptors.storage_or_texels(3, scene.skin1_joints);
    if (kind == SkinKind::skin4 || kind == SkinKind::dqs4)
        descriptors.storage_or_texels(3, scene.skin4_joints).storage_or_texels(4, scene.skin4_weights);
    if (is_skinN(kind))
        descriptors.storage_or_texels(3, scene.skinN_vertices)
            .storage_or_texels(4, scene.blocks)
            .storage_or_texels(5, scene.skinN_instances)
            .storage_or_texels(6, scene.influence_positions)
            .storage_or_texels(7, scene.deltas)
            .storage_or_texels(8, scene.frame_vertices)
            .storage_or_texels(9, *batch.values);
    if (is_dqs(kind)) descriptors.storage_or_texels(10, *batch.dqs_palettes);
    descriptors.storage_or_texels(11, scene.tangents)
        .storage(tangents_binding, (batch.tangents != nullptr ? batch.tangents : batch.skinned)->get());
    if (is_skinN(kind)) descriptors.storage_or_texels(13, scene.tangent_deltas);
    descriptors.record(*device_, commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_);
}

void SkinningPass::record(VkCommandBuffer commands, const GpuScene& scene, const SkinBatch& batch)
{
    const auto per_invocation = std::min(device_->traits.poses_per_invocation, batch.pose_count);
    for (const auto& [kind, range, first_input] : dispatch_ranges(scene.packed)) {
        if (range.count == 0) continue;
        device_->vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                                      pipeline(variant_of(scene.packed, batch, kind)));
        bind(commands, scene, batch, kind);
        push_constants(*device_, commands, layout_,
                       shared::SkinPushConstants{.first_vertex = range.first,
                                                 .vertex_count = range.count,
                                                 .vertex_total = scene.vertex_count(),
                                                 .pose_count = batch.pose_count,
                                                 .poses_per_invocation = per_invocation,
                                                 .palette_count = scene.packed.palette_count,
                                                 .value_count = scene.packed.value_count,
                                                 .first_input = first_input});
        device_->vk.vkCmdDispatch(commands, (range.count + skinning_workgroup - 1) / skinning_workgroup,
                                  (batch.pose_count + per_invocation - 1) / per_invocation, 1);
    }
}

} // namespace vitrine::render
