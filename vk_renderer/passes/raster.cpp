#include "vk_renderer/passes/raster.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "vk_renderer/passes/attachments.hpp"
#include "vk_renderer/passes/point_size.hpp"

namespace vitrine::render {
namespace {

constexpr std::uint32_t first_texture_binding = 2;
constexpr std::uint32_t first_extension_binding = 10;

void add_material(DescriptorWriter& descriptors, const GpuScene& scene, std::uint32_t material)
{
    descriptors.uniform(1, scene.materials.get(), material * sizeof(shared::MaterialParams),
                        sizeof(shared::MaterialParams));
    const auto& textures = scene.textures.material_textures(material);
    for (std::uint32_t i = 0; i < surface_textures; ++i)
        descriptors.sampled(first_texture_binding + i, textures[i].view, textures[i].sampler);
    if (!scene.textures.has_extensions(material)) return;
    for (std::uint32_t i = 0; i < shared::extension_texture_count; ++i) {
        const auto& texture = textures[surface_textures + i];
        descriptors.sampled(first_extension_binding + i, texture.view, texture.sampler);
    }
}

VkBuffer attributes_of(const RasterFrame& frame)
{
    const bool weights = frame.view->overlays.debug_view == DebugView::weights;
    return (weights ? frame.scene->weight_colors : frame.scene->attributes).get();
}

} // namespace

RasterPass::RasterPass(const Device& device, VkSampleCountFlagBits samples)
    : device_(&device), pipelines_(device, samples), background_pass_(device, samples)
{
}

void RasterPass::prepare()
{
    pipelines_.make(std::array{MeshVariant{.textures = TextureUse::none},
                               MeshVariant{.textures = TextureUse::base_only},
                               MeshVariant{.textures = TextureUse::all}});
}

void RasterPass::push_frame(VkCommandBuffer commands, const RasterFrame& frame) const
{
    DescriptorWriter descriptors;
    descriptors.uniform(0, frame.uniforms, frame.uniform_offset, sizeof(shared::ImageParams));
    add_material(descriptors, *frame.scene, 0);
    descriptors.storage(RasterPipelines::data_binding, frame.segments);
    descriptors.record(*device_, commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines_.layout());
}

void RasterPass::select(State& state, std::uint32_t instance)
{
    select_instance(*state.frame, *state.all, instance);
}

void RasterPass::bind_vertices(State& state)
{
    const auto& frame = *state.frame;
    if (state.pose == frame.pose_index) return;
    state.pose = frame.pose_index;
    const VkDeviceSize first = VkDeviceSize{frame.pose_index} * frame.scene->vertex_count();
    const std::array buffers{frame.skinned->get(), attributes_of(frame)};
    const std::array<VkDeviceSize, 2> offsets{first * 16, 0};
    device_->vk.vkCmdBindVertexBuffers(state.commands, 0, 2, buffers.data(), offsets.data());
    if (frame.tangents == nullptr) return;
    const VkBuffer tangents = frame.tangents->get();
    const VkDeviceSize at = first * 4;
    device_->vk.vkCmdBindVertexBuffers(state.commands, 2, 1, &tangents, &at);
}

void RasterPass::record(VkCommandBuffer commands, const RasterFrame& all)
{
    const auto& vk = device_->vk;
    RasterFrame frame = all;
    select_instance(frame, all, 0);
    const auto width = static_cast<std::uint32_t>(frame.params->viewport.x);
    const auto height = static_cast<std::uint32_t>(frame.params->viewport.y);
    make_pipelines(frame);
    begin_rendering(*device_, commands, {.color = &frame.target->color, .depth = &frame.target->depth}, width,
                    height);
    push_frame(commands, frame);
    State state{.commands = commands, .all = &all, .frame = &frame};
    bind_vertices(state);
    const bool tints_background = has_opaque_background(frame) && has_transmission(frame);
    const bool has_ghosts = !frame.ghosts.empty();
    if (tints_background && has_ghosts) draw_background(state);
    if (has_ghosts) draw_ghosts(state);
    draw_opaque(state);
    if (tints_background && !has_ghosts) draw_background(state);
    draw_blended(state);
    draw_overlays(state);
    vk.vkCmdEndRendering(commands);
}

MeshVariant RasterPass::variant_of(const RasterFrame& frame, const DrawItem& item) const
{
    const auto debug_view = frame.view->overlays.debug_view;
    if (debug_view != DebugView::material && item.topology == scene::Topology::triangles)
        return {.light = frame.view->light, .flat = item.flat, .debug_view = debug_view};
    auto textures = frame.scene->textures.use_of(item.material);
    const bool triangles = item.topology == scene::Topology::triangles;
    if (frame.view->light == LightingPreset::reference && textures == TextureUse::all && triangles)
        textures = TextureUse::base_only; // the reference lighting uses only the base color of surfaces
    const bool studio = frame.view->light == LightingPreset::studio;
    const bool has_extensions = item.has_extensions && studio, transmissive = item.transmissive && studio;
    return {.light = frame.view->light,
            .textures = has_extensions ? TextureUse::all : textures,
            .alpha = item.alpha,
            .topology = item.topology,
            .flat = item.flat,
            .unlit = triangles ? item.unlit : !item.lit_like_surface && keeps_own_color(frame, item),
            .lit_like_surface = item.lit_like_surface,
            .has_extensions = has_extensions,
            .transmissive = transmissive,
            .writes_depth = transmissive && writes_depth(frame, item),
            .dual_source =
                transmissive && has_opaque_background(frame) && device_->features.dualSrcBlend == VK_TRUE,
            .uses_tangents = item.uses_tangents && !item.unlit && studio,
            .more_uvs = item.more_uvs,
            .discs = item.topology == scene::Topology::points && frame.params->ray_x.w > min_disc_diameter,
            .shader_anisotropy = device_->traits.shader_anisotropy && textures != TextureUse::none &&
                                 frame.scene->textures.is_anisotropic(item.material)};
}

void RasterPass::make_pipelines(const RasterFrame& frame)
{
    std::vector<MeshVariant> missing; // usually empty, without an allocation
    std::optional<MeshVariant> last;
    for (const auto& item : frame.scene->packed.draws) {
        const auto variant = variant_of(frame, item);
        if (std::exchange(last, variant) == variant || pipelines_.has(variant)) continue;
        if (std::ranges::find(missing, variant) == missing.end()) missing.push_back(variant);
    }
    add_ghost_variants(frame, missing);
    pipelines_.make(missing);
}

void RasterPass::draw_opaque(State& state)
{
    for (const auto& item : state.frame->scene->packed.draws) {
        if (is_blended(*state.frame, item)) continue;
        const auto variant = variant_of(*state.frame, item);
        for (std::uint32_t instance = 0; instance < solid_count(*state.all); ++instance) {
            select(state, instance);
            draw_opaque_item(state, item, variant);
        }
    }
}

void RasterPass::draw_opaque_item(State& state, const DrawItem& item, const MeshVariant& variant)
{
    const auto cull = cull_mode(*state.frame, item);
    if (device_->traits.software && cull == VK_CULL_MODE_NONE && hides_back_faces(*state.frame, item)) {
        draw_item(state, item, variant, VK_CULL_MODE_BACK_BIT);
        draw_item(state, item, variant, VK_CULL_MODE_FRONT_BIT);
    } else {
        draw_item(state, item, variant, cull);
    }
}

void RasterPass::bind(State& state, const DrawItem& item, const MeshVariant& variant, VkCullModeFlags cull)
{
    const auto& vk = device_->vk;
    if (const auto pipeline = pipelines_.mesh(variant); pipeline != state.pipeline)
        vk.vkCmdBindPipeline(state.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, state.pipeline = pipeline);
    if (cull != state.cull) vk.vkCmdSetCullMode(state.commands, state.cull = cull);
    if (const bool mirrored = mirrors(state.frame->palette[item.palette_entry]); mirrored != state.mirrored) {
        state.mirrored = mirrored;
        vk.vkCmdSetFrontFace(state.commands,
                             mirrored ? VK_FRONT_FACE_CLOCKWISE : VK_FRONT_FACE_COUNTER_CLOCKWISE);
    }
    if (variant.has_extensions || variant.more_uvs)
        push_constants(
            *device_, state.commands, pipelines_.layout(),
            shared::DrawPushConstants{.mesh_scale = length_scale(state.frame->palette[item.palette_entry]),
                                      .more_uv_sets = state.frame->scene->packed.more_uv_sets});
    if (item.material != state.material) {
        state.material = item.material;
        DescriptorWriter descriptors;
        add_material(descriptors, *state.frame->scene, item.material);
        if (item.more_uvs)
            descriptors.storage(RasterPipelines::more_uvs_binding, state.frame->scene->more_uvs.get());
        descriptors.record(*device_, state.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines_.layout());
    }
}

void RasterPass::bind_indices(State& state, VkBuffer indices, VkDeviceSize offset)
{
    if (std::exchange(state.indices, indices) != indices)
        device_->vk.vkCmdBindIndexBuffer(state.commands, indices, offset, VK_INDEX_TYPE_UINT32);
}

void RasterPass::draw_item(State& state, const DrawItem& item, const MeshVariant& variant,
                           VkCullModeFlags cull)
{
    bind_vertices(state);
    bind(state, item, variant, cull);
    const auto& scene = *state.frame->scene;
    bind_indices(state, (state.frame->lod != nullptr ? state.frame->lod->indices : scene.indices).get(), 0);
    const auto run = range_of(*state.frame, item);
    device_->vk.vkCmdDrawIndexed(state.commands, run.count, 1, run.first, item.vertex_offset, 0);
}

void RasterPass::draw_ordered(State& state, const DrawItem& item, const MeshVariant& variant)
{
    bind_vertices(state);
    bind(state, item, variant, cull_mode(*state.frame, item));
    bind_indices(state, state.frame->sorted_indices, state.frame->sorted_indices_offset);
    device_->vk.vkCmdDrawIndexed(state.commands, 3 * item.ordered.count, 1, 3 * item.ordered.first,
                                 item.vertex_offset, 0);
}

void RasterPass::draw_background(State& state)
{
    const auto& frame = *state.frame;
    if (state.cull != VK_CULL_MODE_NONE)
        device_->vk.vkCmdSetCullMode(state.commands, state.cull = VK_CULL_MODE_NONE);
    background_pass_.record(
        state.commands, *frame.target,
        {.uniforms = frame.uniforms,
         .uniform_offset = frame.uniform_offset,
         .bounds = frame.bounds,
         .size = {frame.view->width, frame.view->height},
         .studio = shared::has_backdrop(frame.params->backdrop) || shared::has_ground(frame.params->ground)});
    push_frame(state.commands, frame);
    state.pipeline = VK_NULL_HANDLE;
    state.material = scene::none;
}

} // namespace vitrine::render
