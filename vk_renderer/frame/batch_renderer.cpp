#include "vk_renderer/frame/batch_renderer.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "vk_renderer/frame/batch_sizes.hpp"

namespace vitrine::render {
namespace {

bool has_ground(const shared::ImageParams& params)
{
    return shared::has_ground(params.ground);
}

} // namespace

BatchRenderer::BatchRenderer(Device& device, Timeline& timeline, ReadbackPool& readback_pool,
                             const Options& options)
    : device_(&device), timeline_(&timeline), readback_pool_(&readback_pool),
      resolve_(device.traits.resolves_in_compute() ? nullptr : std::make_unique<ResolvePass>(device)),
      compute_resolve_(resolve_ ? nullptr : std::make_unique<ComputeResolvePass>(device)), shadow_(device),
      skinning_(device), bounds_(device), names_(options.label_font, options.on_log_message),
      target_pool_(device), raster_(device, target_pool_.samples()),
      slots_{BatchSlot(device, options.measures_passes), BatchSlot(device, options.measures_passes),
             BatchSlot(device, options.measures_passes)}
{
}

void BatchRenderer::prepare()
{
    skinning_.prepare();
    bounds_.prepare();
    raster_.prepare();
}

void BatchRenderer::begin_request(std::shared_ptr<AsyncRequest> owner)
{
    ++request_;
    owner_ = std::move(owner);
}

void BatchRenderer::add(const BatchImage& image)
{
    ensure_weight_colors(image);
    if (open_slot_ != nullptr && !fits(*open_slot_, image)) {
        auto& slot = *open_slot_;
        const bool unknown = image.drawable.gpu->seconds_per_cost == 0.0;
        render_batch();
        if (unknown && slot.find_posed(*image.drawable.gpu) != nullptr) collect(slot.done);
    }
    if (open_slot_ == nullptr) open_slot_ = &next_slot();
    add_image(*open_slot_, image);
    open_slot_->request = request_;
    open_slot_->owner = owner_;
    if (starts_early(*open_slot_)) render_batch();
}

void BatchRenderer::render_batch()
{
    auto begin = std::chrono::steady_clock::now();
    auto& slot = *std::exchange(open_slot_, nullptr);
    upload_poses(slot);
    write_frame_data(slot);
    sort_blended(slot);
    auto at = lay_out_readback(slot, slot.pixel_bytes);
    std::uint32_t width = 1, height = 1;
    for (std::size_t i = 0; i < slot.images.size(); ++i) {
        const auto& view = *slot.images[i].view;
        slot.image_offsets[i].pixels_offset = at;
        at += aligned(pixel_bytes(view));
        width = std::max(width, view.width);
        height = std::max(height, view.height);
    }
    begin = count(HostStep::pose, begin);
    auto* commands = slot.commands.begin();
    slot.timestamps.record_begin(commands);
    target_pool_.ensure(commands, *timeline_, width, height, target_count(slot));
    record_skinning(slot, commands);
    record_images(slot, commands);
    begin = count(HostStep::record, begin);
    submit(slot, commands);
    count(HostStep::submit, begin);
    target_pool_.mark_initialized();
}

std::uint64_t BatchRenderer::submit_pending()
{
    if (open_slot_ != nullptr) render_batch();
    if (owner_) begin_request(); // later failures do not concern it
    return timeline_->submitted();
}

// Records skinning and the reduction of the boxes, which are copied to the host afterwards.
void BatchRenderer::record_skinning(BatchSlot& slot, VkCommandBuffer commands)
{
    memory_barrier(*device_, commands, everything, everything); // the previous batch used the same buffers
    for (std::size_t i = 0; i < slot.scenes; ++i) {
        const auto& posed = slot.posed[i];
        if (is_current(skinned_[i], posed)) continue;
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
    slot.timestamps.record_pass(commands, Pass::skinning);
    memory_barrier(*device_, commands, compute, compute);
    memory_barrier(*device_, commands, transfer, compute);
    memory_barrier(*device_, commands, compute, raster_read);
    for (std::size_t i = 0; i < slot.scenes; ++i)
        if (slot.posed[i].boxes && !is_current(skinned_[i], slot.posed[i]))
            bounds_.record(commands, *slot.posed[i].drawable.gpu, skinned_[i].vertices,
                           skinned_[i].boxes.get(), slot.posed[i].count());
    memory_barrier(*device_, commands, compute, transfer);
    memory_barrier(*device_, commands, compute, raster_read);
    for (std::size_t i = 0; i < slot.scenes; ++i) {
        const VkBufferCopy region{0, slot.posed[i].boxes_offset,
                                  slot.posed[i].count() * sizeof(EncodedBounds)};
        device_->vk.vkCmdCopyBuffer(commands, skinned_[i].boxes.get(), slot.readback->get(), 1, &region);
    }
    slot.timestamps.record_pass(commands, Pass::bounds);
}

void BatchRenderer::record_images(BatchSlot& slot, VkCommandBuffer commands)
{
    const std::size_t targets = target_count(slot);
    for (std::size_t first = 0; first < slot.images.size(); first += targets) {
        const auto end = std::min(first + targets, slot.images.size());
        target_pool_.begin_colors(commands, end - first);
        record_shadows(slot, commands, first, end);
        for (auto i = first; i < end; ++i)
            record_raster(slot, commands, i, i - first);
        slot.timestamps.record_pass(commands, Pass::raster);
        if (compute_resolve_)
            record_compute_resolve(slot, commands, first, end);
        else
            record_resolve(slot, commands, first, end);
    }
    if (compute_resolve_) record_pixel_copy(slot, commands);
}

void BatchRenderer::record_shadows(BatchSlot& slot, VkCommandBuffer commands, std::size_t first,
                                   std::size_t end)
{
    const auto for_each = [&](auto record) {
        for (auto i = first; i < end; ++i)
            if (has_ground(slot.params[i]))
                record(i, target_pool_.target(static_cast<std::uint32_t>(i - first)));
    };
    if (std::none_of(slot.params.begin() + static_cast<std::ptrdiff_t>(first),
                     slot.params.begin() + static_cast<std::ptrdiff_t>(end), has_ground))
        return;
    for_each([&](std::size_t, const RenderTargets& target) { shadow_.clear(commands, target); });
    memory_barrier(*device_, commands, transfer, compute);
    for_each([&](std::size_t i, const RenderTargets& target) {
        const auto& offsets = slot.image_offsets[i];
        const auto& gpu = *slot.posed[offsets.posed].drawable.gpu;
        const auto instances = slot.images[i].solid_count();
        shadow_.record_heights(
            commands, gpu,
            {.target = target,
             .skinned = skinned_[offsets.posed].vertices,
             .first_vertex = offsets.pose * gpu.vertex_count(),
             .instances = instances,
             .uniforms = slot.frame_data.get(),
             .uniform_offset = i * params_stride(),
             .params = slot.params[i],
             .is_reduced = slot.images[i].lod != nullptr,
             .palette = slot.posed[offsets.posed].pose_evaluator.palette(offsets.pose, instances)});
    });
    slot.timestamps.record_pass(commands, Pass::shadow_cast);
    for (const bool vertical : {false, true}) {
        memory_barrier(*device_, commands, compute, compute);
        for_each([&](std::size_t, const RenderTargets& target) {
            shadow_.record_blur(commands, target, vertical);
        });
    }
    memory_barrier(*device_, commands, compute, raster_read);
    slot.timestamps.record_pass(commands, Pass::shadow_blur);
}

void BatchRenderer::record_raster(BatchSlot& slot, VkCommandBuffer commands, std::size_t image,
                                  std::size_t target)
{
    const auto posed_index = slot.image_offsets[image].posed;
    const auto pose = slot.image_offsets[image].pose;
    const auto& posed = slot.posed[posed_index];
    const auto& shown = slot.images[image];
    const auto& view = *shown.view;
    const auto ends = posed.pose_evaluator.segment_ends();
    const auto first = pose == 0 ? 0 : ends[pose - 1];
    const auto count = shown.instance_count();
    raster_.record(commands, {.scene = posed.drawable.gpu.get(),
                              .view = &view,
                              .params = &slot.params[image],
                              .palette = posed.pose_evaluator.palette(pose, count),
                              .instance_count = count,
                              .ghosts = shown.ghosts(),
                              .lod = shown.lod,
                              .model_radius = model_radius(shown, slot.params[image]),
                              .target = &target_pool_.target(static_cast<std::uint32_t>(target)),
                              .size = shown.framing.model.size(),
                              .skinned = &skinned_[posed_index].vertices,
                              .tangents = posed.tangents ? &skinned_[posed_index].tangents : nullptr,
                              .pose_index = pose,
                              .uniforms = slot.frame_data.get(),
                              .uniform_offset = image * params_stride(),
                              .segments = slot.frame_data.get(),
                              .segment_offset = posed.segments_offset,
                              .first_segment = first,
                              .segment_count = view.overlays.skeleton ? ends[pose + count - 1] - first : 0,
                              .line_offset = slot.lines_offset,
                              .first_line = slot.image_offsets[image].lines.first,
                              .line_count = slot.image_offsets[image].lines.count,
                              .bounds = skinned_[posed_index].boxes.get(),
                              .sorted_indices = slot.sorted_indices.get(),
                              .sorted_indices_offset = slot.image_offsets[image].sorted_indices_offset,
                              .run_shifts = std::span(slot.run_shifts)
                                                .subspan(slot.image_offsets[image].shifts.first,
                                                         slot.image_offsets[image].shifts.count)});
}

void BatchRenderer::submit(BatchSlot& slot, VkCommandBuffer commands)
{
    slot.timestamps.record_end(commands, slot.readback->get(), slot.timestamps_offset);
    memory_barrier(*device_, commands, transfer | compute, host_read);
    slot.submitted = std::chrono::steady_clock::now();
    slot.is_measured = false;
    try {
        slot.done = timeline_->submit(slot.commands.end());
    } catch (...) {
        forget_skinned();
        throw;
    }
    for (std::size_t i = 0; i < slot.scenes; ++i) {
        const auto& posed = slot.posed[i];
        if (is_current(skinned_[i], posed)) continue;
        skinned_[i].scene = posed.drawable.gpu;
        skinned_[i].clip_times = posed.clip_times;
        skinned_[i].placements = posed.placements;
        skinned_[i].has_tangents = posed.tangents;
        skinned_[i].has_boxes = posed.boxes;
    }
}

void BatchRenderer::collect(std::uint64_t value)
{
    std::array<BatchSlot*, slot_count> oldest_first{};
    std::ranges::transform(slots_, oldest_first.begin(), [](BatchSlot& slot) { return &slot; });
    std::ranges::sort(oldest_first, {}, &BatchSlot::done);
    for (auto* slot : oldest_first)
        if (slot != open_slot_ && slot->done <= value) deliver(*slot);
}

// Waits for the slot's commands, writes its frames and releases its scenes.
void BatchRenderer::deliver(BatchSlot& slot)
{
    timeline_->wait(slot.done);
    const auto elapsed = std::chrono::steady_clock::now() - slot.submitted;
    const std::byte* const result = slot.readback ? slot.readback->read() : nullptr;
    if (!slot.is_measured) {
        slot.is_measured = true;
        const auto work = measure_work(slot, result);
        work_time_ += work;
        if (slot.owner) slot.owner->work_time += work;
        if (!slot.images.empty()) update_cost(slot, std::chrono::duration<double>(work).count());
    }
    const auto begin = std::chrono::steady_clock::now();
    const bool shares =
        !slot.images.empty() && (slot.is_imported || readback_pool_->share(slot.readback, slot.pixel_bytes));
    for (std::size_t i = 0; i < slot.images.size(); ++i) {
        write_frame(slot, i, result, shares);
        slot.images[i].frame->render_us = static_cast<std::uint32_t>(
            std::chrono::duration_cast<std::chrono::microseconds>(elapsed).count());
    }
    count(HostStep::copy, begin);
    slot.readback = {};
    for (auto& posed : std::span(slot.posed).first(slot.scenes))
        posed.drawable = {};
    slot.owner.reset();
    slot.images.clear();
    slot.image_offsets.clear();
    slot.scenes = 0;
    slot.skinned_bytes = slot.pixel_bytes = 0;
    slot.cost = slot.seconds = 0.0;
    slot.instance_pixels = 0;
}

} // namespace vitrine::render
