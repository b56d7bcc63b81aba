// Records the commands of a batch: skins every clip time, then draws the images, a few render targets at a
// time.
#include <algorithm>

#include "vk_renderer/frame/batch_renderer.hpp"

namespace vitrine::render {
namespace {

bool has_ground(const shared::FrameParams& params)
{
    return params.ground.w > 0.5f;
}

// All overlays except lines and names that extend beyond the model's bounds.
bool stays_within_bounds(const Overlays& overlays)
{
    return overlays ==
           Overlays{.wireframe = overlays.wireframe, .surface = overlays.surface, .joint = overlays.joint};
}

} // namespace

// Records skinning and the reduction of the boxes, which are copied to the host at the end of the commands.
void BatchRunner::record_skinning(BatchSlot& slot, VkCommandBuffer commands)
{
    memory_barrier(*device_, commands, everything, everything); // the previous batch used the same buffers
    for (std::size_t i = 0; i < slot.scenes; ++i) {
        const auto& posed = slot.posed[i];
        bounds_.clear(commands, skinned_[i].boxes.get(), posed.count());
        skinning_.record(commands, *posed.drawable.gpu,
                         {.palettes = &posed.palettes,
                          .dqs_palettes = &posed.dqs_palettes,
                          .values = &posed.values,
                          .skinned = &skinned_[i].vertices,
                          .tangents = posed.tangents ? &skinned_[i].tangents : nullptr,
                          .pose_count = posed.count(),
                          .non_rigid = posed.pose_evaluator.non_rigid()});
    }
    memory_barrier(*device_, commands, compute, compute);
    memory_barrier(*device_, commands, transfer, compute);
    memory_barrier(*device_, commands, compute, raster_read);
    for (std::size_t i = 0; i < slot.scenes; ++i)
        bounds_.record(commands, *slot.posed[i].drawable.gpu, skinned_[i].vertices, skinned_[i].boxes.get(),
                       slot.posed[i].count());
    memory_barrier(*device_, commands, compute, transfer);
    memory_barrier(*device_, commands, compute, raster_read);
    for (std::size_t i = 0; i < slot.scenes; ++i) {
        const VkBufferCopy region{0, slot.posed[i].boxes_at, slot.posed[i].count() * sizeof(EncodedBounds)};
        device_->vk.vkCmdCopyBuffer(commands, skinned_[i].boxes.get(), slot.readback.get(), 1, &region);
    }
}

void BatchRunner::record_pictures(BatchSlot& slot, VkCommandBuffer commands)
{
    const std::size_t layers = target_count(slot);
    for (std::size_t first = 0; first < slot.pictures.size(); first += layers) {
        const auto end = std::min(first + layers, slot.pictures.size());
        if (first > 0) { // the resolve passes have read the targets
            memory_barrier(*device_, commands, raster_read, everything);
            memory_barrier(*device_, commands, transfer, everything);
        }
        record_shadows(slot, commands, first, end);
        for (auto i = first; i < end; ++i)
            record_raster(slot, commands, i, i - first);
        record_resolve(slot, commands, first, end);
    }
}

void BatchRunner::record_shadows(BatchSlot& slot, VkCommandBuffer commands, std::size_t first,
                                 std::size_t end)
{
    const auto for_each = [&](auto record) {
        for (auto i = first; i < end; ++i)
            if (has_ground(slot.params[i]))
                record(i, target_pool_.layer(static_cast<std::uint32_t>(i - first)));
    };
    if (std::none_of(slot.params.begin() + static_cast<std::ptrdiff_t>(first),
                     slot.params.begin() + static_cast<std::ptrdiff_t>(end), has_ground))
        return;
    for_each([&](std::size_t, const RenderTargets& layer) { shadow_.clear(commands, layer); });
    memory_barrier(*device_, commands, transfer, compute);
    for_each([&](std::size_t i, const RenderTargets& layer) {
        const auto& picture_slot = slot.picture_slots[i];
        const auto& gpu = *slot.posed[picture_slot.posed].drawable.gpu;
        shadow_.record_heights(
            commands, gpu,
            {.layer = layer,
             .skinned = skinned_[picture_slot.posed].vertices,
             .first_vertex = picture_slot.pose * gpu.vertex_count(),
             .uniforms = slot.frames.get(),
             .uniform_offset = i * params_stride(),
             .params = slot.params[i],
             .palette = slot.posed[picture_slot.posed].pose_evaluator.palette(picture_slot.pose)});
    });
    for (const bool vertical : {false, true}) {
        memory_barrier(*device_, commands, compute, compute);
        for_each(
            [&](std::size_t, const RenderTargets& layer) { shadow_.record_blur(commands, layer, vertical); });
    }
    memory_barrier(*device_, commands, compute, raster_read);
}

void BatchRunner::record_raster(BatchSlot& slot, VkCommandBuffer commands, std::size_t picture,
                                std::size_t layer)
{
    const auto posed_index = slot.picture_slots[picture].posed;
    const auto pose = slot.picture_slots[picture].pose;
    const auto& posed = slot.posed[posed_index];
    const auto& view = *slot.pictures[picture].view;
    const auto ends = posed.pose_evaluator.segment_ends();
    const auto first = pose == 0 ? 0 : ends[pose - 1];
    raster_.record(commands, {.scene = posed.drawable.gpu.get(),
                              .view = &view,
                              .params = &slot.params[picture],
                              .palette = posed.pose_evaluator.palette(pose),
                              .layer = &target_pool_.layer(static_cast<std::uint32_t>(layer)),
                              .size = slot.pictures[picture].framing.model.size(),
                              .skinned = &skinned_[posed_index].vertices,
                              .tangents = posed.tangents ? &skinned_[posed_index].tangents : nullptr,
                              .pose_index = pose,
                              .uniforms = slot.frames.get(),
                              .uniform_offset = picture * params_stride(),
                              .segments = slot.frames.get(),
                              .segment_offset = posed.segments_at,
                              .first_segment = first,
                              .segment_count = view.overlays.skeleton ? ends[pose] - first : 0,
                              .bounds = skinned_[posed_index].boxes.get(),
                              .ordered = slot.ordered.get(),
                              .ordered_offset = slot.picture_slots[picture].ordered_at,
                              .run_shifts = std::span(slot.run_shifts)
                                                .subspan(slot.picture_slots[picture].shifts.first,
                                                         slot.picture_slots[picture].shifts.count)});
}

ResolvePass::ResolveArea BatchRunner::resolved(const BatchSlot& slot, std::size_t picture)
{
    const auto& view = *slot.pictures[picture].view;
    const auto& params = slot.params[picture];
    return {
        .width = view.width, .height = view.height, .studio = params.backdrop.x > 0.5f || has_ground(params)};
}

void BatchRunner::record_resolve(BatchSlot& slot, VkCommandBuffer commands, std::size_t first,
                                 std::size_t end)
{
    const auto for_each = [&](auto record) {
        for (auto i = first; i < end; ++i)
            record(i, target_pool_.layer(static_cast<std::uint32_t>(i - first)), resolved(slot, i));
    };
    memory_barrier(*device_, commands, attachments, raster_read);
    for_each([&](std::size_t i, const RenderTargets& layer, const ResolvePass::ResolveArea& picture) {
        const auto& picture_slot = slot.picture_slots[i];
        const bool within = stays_within_bounds(slot.pictures[i].view->overlays);
        resolve_.record(commands, layer,
                        {.uniforms = slot.frames.get(),
                         .uniform_offset = i * params_stride(),
                         .bounds = skinned_[picture_slot.posed].boxes.get(),
                         .box = within ? picture_slot.pose : shared::no_box},
                        picture);
    });
    memory_barrier(*device_, commands, attachments, transfer);
    for_each([&](std::size_t i, const RenderTargets& layer, const ResolvePass::ResolveArea& picture) {
        resolve_.copy(commands, layer, picture, slot.readback.get(), slot.picture_slots[i].pixels_at);
    });
}

void BatchRunner::submit(BatchSlot& slot, VkCommandBuffer commands)
{
    memory_barrier(*device_, commands, transfer, host_read);
    slot.submitted = std::chrono::steady_clock::now();
    slot.done = timeline_->submit(slot.commands.end());
}

} // namespace vitrine::render
