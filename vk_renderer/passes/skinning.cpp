#include "vk_renderer/passes/skinning.hpp"

#include <algorithm>
#include <array>

namespace vitrine::render {
namespace {

using shaders::SkinKind;

constexpr std::uint32_t workgroup = 64;
constexpr std::uint32_t output_binding = 2;
constexpr std::uint32_t tangents_binding = 12;

Layout create_layout(const Device& device)
{
    std::array<VkDescriptorType, 14> types{};
    types.fill(readable_type(device));
    types[output_binding] = types[tangents_binding] = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    return {device, types, VK_SHADER_STAGE_COMPUTE_BIT, sizeof(shared::SkinPush)};
}

// A kind's vertices, and where they begin in its arrays of joints and weights or of general vertices.
struct Run {
    SkinKind kind;
    Range range;
    std::uint32_t first_input = 0;
};

std::array<Run, 5> runs_of(const PackedScene& scene)
{
    return {{{SkinKind::rigid, scene.rigid},
             {SkinKind::four, scene.four},
             {SkinKind::dual_four, scene.dual_four, scene.four.count},
             {SkinKind::general, scene.general},
             {SkinKind::dual, scene.dual, scene.general.count}}};
}

bool is_general(SkinKind kind)
{
    return kind == SkinKind::general || kind == SkinKind::dual;
}

bool is_dual(SkinKind kind)
{
    return kind == SkinKind::dual_four || kind == SkinKind::dual;
}

} // namespace

SkinningPass::SkinningPass(const Device& device) : device_(&device), layout_(create_layout(device)) {}

VkPipeline SkinningPass::pipeline(const Variant& variant)
{
    auto& made = pipelines_[variant];
    if (!made) {
        const std::array<std::uint32_t, 5> constants{variant.morphs, variant.frames, variant.positions,
                                                     variant.stretched, variant.tangents};
        made = create_compute(*device_, layout_,
                              shaders::skin(variant.kind, device_->traits.read_through_texels), constants);
    }
    return made.get();
}

SkinningPass::Variant SkinningPass::variant_of(const PackedScene& scene, const SkinBatch& batch,
                                               SkinKind kind)
{
    const bool general = is_general(kind);
    return {.kind = kind,
            .morphs = general && scene.has_morphs,
            .frames = general && scene.has_frames,
            .positions = general && scene.has_positions,
            .stretched = is_dual(kind) && batch.stretched,
            .tangents = batch.tangents != nullptr};
}

void SkinningPass::prepare()
{
    for (const auto kind : {SkinKind::rigid, SkinKind::four, SkinKind::general})
        pipeline({.kind = kind});
}

void SkinningPass::bind(VkCommandBuffer commands, const GpuScene& scene, const SkinBatch& batch,
                        SkinKind kind) const
{
    Push push;
    push.readable(0, scene.vertices)
        .readable(1, *batch.palettes)
        .storage(output_binding, batch.skinned->get());
    if (kind == SkinKind::rigid) push.readable(3, scene.rigid_joints);
    if (kind == SkinKind::four || kind == SkinKind::dual_four)
        push.readable(3, scene.four_joints).readable(4, scene.four_weights);
    if (is_general(kind))
        push.readable(3, scene.general_vertices)
            .readable(4, scene.blocks)
            .readable(5, scene.general_instances)
            .readable(6, scene.influence_positions)
            .readable(7, scene.deltas)
            .readable(8, scene.frame_vertices)
            .readable(9, *batch.values);
    if (is_dual(kind)) push.readable(10, *batch.dual_palettes);
    push.readable(11, scene.tangents)
        .storage(tangents_binding, (batch.tangents != nullptr ? batch.tangents : batch.skinned)->get());
    if (is_general(kind)) push.readable(13, scene.tangent_deltas);
    push.record(*device_, commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_);
}

void SkinningPass::record(VkCommandBuffer commands, const GpuScene& scene, const SkinBatch& batch)
{
    const auto per_invocation = std::min(device_->traits.frames_per_invocation, batch.frame_count);
    for (const auto& [kind, range, first_input] : runs_of(scene.packed)) {
        if (range.count == 0) continue;
        device_->vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                                      pipeline(variant_of(scene.packed, batch, kind)));
        bind(commands, scene, batch, kind);
        push_constants(*device_, commands, layout_,
                       shared::SkinPush{.first_vertex = range.first,
                                        .vertex_count = range.count,
                                        .vertex_total = scene.vertex_count(),
                                        .frame_count = batch.frame_count,
                                        .frames_per_invocation = per_invocation,
                                        .palette_count = scene.packed.palette_count,
                                        .value_count = scene.packed.value_count,
                                        .first_input = first_input});
        device_->vk.vkCmdDispatch(commands, (range.count + workgroup - 1) / workgroup,
                                  (batch.frame_count + per_invocation - 1) / per_invocation, 1);
    }
}

} // namespace vitrine::render
