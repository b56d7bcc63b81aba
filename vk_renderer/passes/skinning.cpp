#include "vk_renderer/passes/skinning.hpp"

#include <algorithm>
#include <array>

namespace vitrine::render {
namespace {

using shaders::SkinKind;

constexpr std::uint32_t skinning_workgroup = 64;
constexpr std::uint32_t output_binding = 2;
constexpr std::uint32_t tangents_binding = 12;
constexpr VkDeviceSize skinned_vertex_bytes = 16, skinned_tangent_bytes = 4;
// Vertices: the offsets of both outputs are multiples of 256 bytes, as every device accepts.
constexpr VkDeviceSize output_alignment = 64;

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

// Number of vertices of the output that are bound at once: all, unless a single pose has more than a binding
// can hold. A batch of several poses always fits.
std::uint32_t output_step(const Device& device, const GpuScene& scene, const SkinBatch& batch)
{
    const VkDeviceSize limit = device.limits.maxStorageBufferRange;
    const auto bytes = VkDeviceSize{batch.pose_count} * scene.vertex_count() * skinned_vertex_bytes;
    if (bytes <= limit || batch.pose_count > 1) return scene.vertex_count();
    return static_cast<std::uint32_t>(limit / skinned_vertex_bytes / output_alignment * output_alignment);
}

// Number of vertices that one dispatch can skin: with the 65,535 workgroups of many devices, 4.2 million.
std::uint32_t max_dispatch(const Device& device)
{
    const auto workgroups = device.limits.maxComputeWorkGroupCount[0];
    return std::min(workgroups, UINT32_MAX / skinning_workgroup) * skinning_workgroup;
}

// `output`: the bound vertices; count 0: all of every pose.
VkDeviceSize output_bytes(const Range& output, VkDeviceSize each)
{
    return output.count == 0 ? VK_WHOLE_SIZE : output.count * each;
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

std::uint32_t poses_of_invocation(const DeviceTraits& traits, std::uint32_t vertices, std::uint32_t poses)
{
    const std::uint64_t affordable = std::uint64_t{vertices} * poses / traits.min_skinning_invocations;
    const std::uint32_t most = std::max(std::min(traits.poses_per_invocation, poses), 1u);
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(affordable, 1, most));
}

SkinningPass::SkinningPass(const Device& device) : device_(&device), layout_(skinning_layout(device)) {}

VkPipeline SkinningPass::pipeline(const Variant& variant)
{
    auto& made = pipelines_[variant];
    if (!made) {
        const std::array<std::uint32_t, 5> constants{variant.morphs, variant.frames, variant.positions,
                                                     variant.non_rigid, variant.tangents};
        made = create_compute(*device_, layout_,
                              shaders::skin(variant.kind, device_->traits.prefers_texel_buffers), constants,
                              BufferAccess::unchecked);
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
                        SkinKind kind, const Range& output) const
{
    DescriptorWriter descriptors;
    descriptors.storage_or_texels(0, scene.vertices)
        .storage_or_texels(1, *batch.palettes)
        .storage(output_binding, batch.skinned->get(), output.first * skinned_vertex_bytes,
                 output_bytes(output, skinned_vertex_bytes));
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
        .storage(tangents_binding, (batch.tangents != nullptr ? batch.tangents : batch.skinned)->get(),
                 output.first * skinned_tangent_bytes, output_bytes(output, skinned_tangent_bytes));
    if (is_skinN(kind)) descriptors.storage_or_texels(13, scene.tangent_deltas);
    descriptors.record(*device_, commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_);
}

void SkinningPass::record(VkCommandBuffer commands, const GpuScene& scene, const SkinBatch& batch)
{
    const auto step = output_step(*device_, scene, batch);
    const auto max_dispatched = max_dispatch(*device_);
    for (const auto& [kind, range, first_input] : dispatch_ranges(scene.packed)) {
        if (range.count == 0) continue;
        device_->vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                                      pipeline(variant_of(scene.packed, batch, kind)));
        for (std::uint32_t done = 0; done < range.count;) {
            const auto first = range.first + done;
            const auto start = first / step * step;
            const auto count = std::min({range.count - done, start + step - first, max_dispatched});
            bind(commands, scene, batch, kind,
                 {start, step == scene.vertex_count() ? 0 : first + count - start});
            dispatch(commands, scene, batch,
                     {.first_vertex = first,
                      .vertex_count = count,
                      .first_input = first_input + done,
                      .first_output = start});
            done += count;
        }
    }
}

// `constants`: the vertices; the rest is filled in.
void SkinningPass::dispatch(VkCommandBuffer commands, const GpuScene& scene, const SkinBatch& batch,
                            shared::SkinPushConstants constants) const
{
    const auto per_invocation =
        poses_of_invocation(device_->traits, constants.vertex_count, batch.pose_count);
    constants.vertex_total = scene.vertex_count();
    constants.pose_count = batch.pose_count;
    constants.poses_per_invocation = per_invocation;
    constants.palette_count = scene.packed.palette_count;
    constants.value_count = scene.packed.value_count;
    push_constants(*device_, commands, layout_, constants);
    device_->vk.vkCmdDispatch(commands,
                              (constants.vertex_count + skinning_workgroup - 1) / skinning_workgroup,
                              (batch.pose_count + per_invocation - 1) / per_invocation, 1);
}

} // namespace vitrine::render
