#include "vk_renderer/frame/batch_renderer.hpp"

#include <algorithm>

#include "vk_renderer/frame/batch_sizes.hpp"

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

BatchRenderer::BatchRenderer(Device& device, Timeline& timeline, const Options& options)
    : device_(&device), timeline_(&timeline), resolve_(device), shadow_(device), skinning_(device),
      bounds_(device), names_(options.label_font, options.on_log_message), target_pool_(device),
      raster_(device, target_pool_.samples()), slots_{BatchSlot(device), BatchSlot(device), BatchSlot(device)}
{
}

void BatchRenderer::prepare()
{
    skinning_.prepare();
    bounds_.prepare();
    raster_.prepare();
}

void BatchRenderer::add(const BatchPicture& picture)
{
    ensure_weight_colors(picture);
    if (open_slot_ != nullptr && !fits(*open_slot_, picture)) {
        auto& slot = *open_slot_;
        const bool unknown = picture.drawable.gpu->seconds_per_cost == 0.0;
        render_batch();
        if (unknown && slot.find_posed(*picture.drawable.gpu) != nullptr) collect(slot);
    }
    if (open_slot_ == nullptr) open_slot_ = &next_slot();
    add_picture(*open_slot_, picture);
}

void BatchRenderer::flush()
{
    if (open_slot_ != nullptr) render_batch();
    for (std::size_t i = 1; i <= slots_.size(); ++i) // oldest first
        collect(slots_[(next_slot_ + i) % slots_.size()]);
}

void BatchRenderer::discard_pending()
{
    open_slot_ = nullptr;
    for (auto& slot : slots_)
        slot.pictures.clear();
}

// Returns the oldest slot that is not being filled, with its images delivered.
BatchSlot& BatchRenderer::next_slot()
{
    do
        ++next_slot_;
    while (&slots_[next_slot_ % slots_.size()] == open_slot_);
    auto& slot = slots_[next_slot_ % slots_.size()];
    collect(slot);
    timeline_->collect();
    return slot;
}

void BatchRenderer::render_batch()
{
    auto& slot = *std::exchange(open_slot_, nullptr);
    upload_poses(slot);
    write_frame_data(slot);
    write_order(slot);
    auto at = lay_out_readback(slot, slot.pixel_bytes);
    std::uint32_t width = 1, height = 1;
    for (std::size_t i = 0; i < slot.pictures.size(); ++i) {
        const auto& view = *slot.pictures[i].view;
        slot.picture_slots[i].pixels_at = at;
        at += aligned(pixel_bytes(view));
        width = std::max(width, view.width);
        height = std::max(height, view.height);
    }
    auto* commands = slot.commands.begin();
    target_pool_.ensure(commands, *timeline_, width, height, target_count(slot));
    record_skinning(slot, commands);
    record_pictures(slot, commands);
    submit(slot, commands);
    target_pool_.mark_initialized();
}

// Records skinning and the reduction of the boxes, which are copied to the host at the end of the commands.
void BatchRenderer::record_skinning(BatchSlot& slot, VkCommandBuffer commands)
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

void BatchRenderer::record_pictures(BatchSlot& slot, VkCommandBuffer commands)
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

void BatchRenderer::record_shadows(BatchSlot& slot, VkCommandBuffer commands, std::size_t first,
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

void BatchRenderer::record_raster(BatchSlot& slot, VkCommandBuffer commands, std::size_t picture,
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

ResolvePass::ResolveArea BatchRenderer::resolved(const BatchSlot& slot, std::size_t picture)
{
    const auto& view = *slot.pictures[picture].view;
    const auto& params = slot.params[picture];
    return {
        .width = view.width, .height = view.height, .studio = params.backdrop.x > 0.5f || has_ground(params)};
}

void BatchRenderer::record_resolve(BatchSlot& slot, VkCommandBuffer commands, std::size_t first,
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

void BatchRenderer::submit(BatchSlot& slot, VkCommandBuffer commands)
{
    memory_barrier(*device_, commands, transfer, host_read);
    slot.submitted = std::chrono::steady_clock::now();
    slot.done = timeline_->submit(slot.commands.end());
}

} // namespace vitrine::render
