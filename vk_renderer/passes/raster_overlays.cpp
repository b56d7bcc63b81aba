// The overlays of RasterPass: wireframe, normals, tangents, bounds, skeleton, trails and boxes of joints.

#include "vk_renderer/passes/raster.hpp"

#include <algorithm>

#include "vk_renderer/passes/line_density.hpp"

namespace vitrine::render {
namespace {

constexpr std::uint32_t vertices_per_segment = 6;
constexpr float normal_length = 0.04f; // of RasterFrame::model_radius

// Returns DrawPushConstants::winding of a flat mesh.
float winding_of(const RasterFrame& frame, const DrawItem& item)
{
    return mirrors(frame.palette[item.palette_entry]) ? -1.0f : 1.0f;
}

} // namespace

void RasterPass::draw_wire(State& state)
{
    for (std::uint32_t instance = 0; instance < solid_count(*state.all); ++instance) {
        select(state, instance);
        for (const auto& item : state.frame->scene->packed.draws)
            if (item.topology == scene::Topology::triangles)
                draw_item(state, item, {.light = LightingPreset::reference, .wireframe = true},
                          VK_CULL_MODE_NONE);
    }
}

void RasterPass::draw_overlays(State& state)
{
    const auto& frame = *state.frame;
    const auto& overlays = frame.view->overlays;
    if (overlays.wireframe) draw_wire(state);
    device_->vk.vkCmdSetCullMode(state.commands, state.cull = VK_CULL_MODE_NONE);
    for (std::uint32_t instance = 0; instance < solid_count(*state.all); ++instance) {
        select(state, instance);
        if (overlays.normals) draw_normals(state);
        if (overlays.tangents) draw_tangents(state);
        if (overlays.bounds)
            draw_segments(state, pipelines_.bounds_box(), frame.bounds, 0, {.first_vertex = frame.pose_index},
                          12);
    }
    if (frame.segment_count > 0)
        draw_segments(state, pipelines_.segments(), frame.segments, frame.segment_offset,
                      {.first_vertex = frame.first_segment}, frame.segment_count);
    if (frame.line_count > 0)
        draw_segments(state, pipelines_.segments(), frame.segments, frame.line_offset,
                      {.first_vertex = frame.first_line}, frame.line_count);
}

void RasterPass::draw_normals(State& state)
{
    const auto& frame = *state.frame;
    const auto& packed = frame.scene->packed;
    const auto& surfaces = packed.triangle_instances; // lines and points have no normals to draw
    std::uint64_t normals = 0;
    for (const auto& surface : surfaces)
        normals += surface.count;
    for (const auto& item : packed.draws)
        if (item.flat) normals += item.index_count;
    const auto shift =
        decimation_shift_for(max_line_count(*frame.params, frame.size), normals * solid_count(frame));
    for (const auto& item : packed.draws)
        if (item.flat) draw_flat_normals(state, item, shift);
    for (const auto& surface : surfaces) {
        const auto decimation_shift =
            std::min(shift, decimation_shift_for(1.0, surface.count)); // keeps at least one
        draw_segments(state, pipelines_.normals(false), frame.skinned->get(), 0,
                      {.first_vertex = frame.pose_index * frame.scene->vertex_count() + surface.first,
                       .normal_length = normal_length * frame.model_radius,
                       .decimation_shift = decimation_shift},
                      surface.count >> decimation_shift);
    }
}

// At each corner of each triangle.
void RasterPass::draw_flat_normals(State& state, const DrawItem& item, std::uint32_t shift)
{
    const auto& frame = *state.frame;
    const auto decimation_shift =
        std::min(shift, decimation_shift_for(1.0, item.index_count)); // keeps at least one
    DescriptorWriter()
        .storage(RasterPipelines::data_binding + 1, frame.scene->indices.get())
        .record(*device_, state.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines_.layout());
    draw_segments(state, pipelines_.normals(true), frame.skinned->get(), 0,
                  {.first_vertex = frame.pose_index * frame.scene->vertex_count() +
                                   static_cast<std::uint32_t>(item.vertex_offset),
                   .normal_length = normal_length * frame.model_radius,
                   .first_index = item.first_index,
                   .decimation_shift = decimation_shift,
                   .winding = winding_of(frame, item)},
                  item.index_count >> decimation_shift);
}

void RasterPass::draw_tangents(State& state)
{
    const auto& frame = *state.frame;
    const auto& scene = *frame.scene;
    std::uint64_t triangles = 0;
    for (const auto& item : scene.packed.draws)
        if (item.topology == scene::Topology::triangles) triangles += item.index_count / 3;
    const auto shift =
        decimation_shift_for(max_line_count(*frame.params, frame.size), triangles * solid_count(frame));
    for (const auto& item : scene.packed.draws) {
        if (item.topology != scene::Topology::triangles) continue;
        const auto vertex = static_cast<std::uint32_t>(item.vertex_offset);
        const auto decimation_shift =
            std::min(shift, decimation_shift_for(1.0, item.index_count / 3)); // keeps at least one
        DescriptorWriter()
            .storage(RasterPipelines::data_binding + 1, scene.indices.get())
            .storage(RasterPipelines::data_binding + 2, scene.attributes.get())
            .record(*device_, state.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines_.layout());
        draw_segments(state, pipelines_.tangents(), frame.skinned->get(), 0,
                      {.first_vertex = frame.pose_index * scene.vertex_count() + vertex,
                       .normal_length = normal_length * frame.model_radius,
                       .first_index = item.first_index,
                       .first_attribute = vertex,
                       .decimation_shift = decimation_shift,
                       .winding = item.flat ? winding_of(frame, item) : 0.0f},
                      (item.index_count / 3 >> decimation_shift) * 3);
    }
}

void RasterPass::draw_segments(State& state, VkPipeline pipeline, VkBuffer data, VkDeviceSize offset,
                               const shared::DrawPushConstants& push, std::uint32_t count)
{
    DescriptorWriter()
        .storage(RasterPipelines::data_binding, data, offset)
        .record(*device_, state.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines_.layout());
    push_constants(*device_, state.commands, pipelines_.layout(), push);
    state.material = scene::none;
    device_->vk.vkCmdBindPipeline(state.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, state.pipeline = pipeline);
    device_->vk.vkCmdDraw(state.commands, count * vertices_per_segment, 1, 0, 0);
}

} // namespace vitrine::render
