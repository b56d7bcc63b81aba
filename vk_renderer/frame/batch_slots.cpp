// The slots of batches: reused in the order of submission, discarded and released; the frames and the work of
// one that is finished.
#include <algorithm>
#include <cmath>
#include <utility>

#include "vk_renderer/camera/framing_bounds.hpp"
#include "vk_renderer/frame/batch_renderer.hpp"
#include "vk_renderer/frame/batch_sizes.hpp"

namespace vitrine::render {

void BatchRenderer::discard_request()
{
    open_slot_ = nullptr;
    owner_.reset();
    for (auto& slot : slots_) {
        if (slot.request != request_) continue;
        slot.images.clear();
        slot.owner.reset();
    }
    forget_skinned();
}

// Returns the oldest slot that is not being filled, with its images delivered.
BatchSlot& BatchRenderer::next_slot()
{
    auto& slot = *std::ranges::min_element(
        slots_, {}, [&](const BatchSlot& one) { return &one == open_slot_ ? UINT64_MAX : one.done; });
    deliver(slot);
    timeline_->destroy_expired();
    return slot;
}

// Batches of a queue may overlap on the device: what they share counts once. Without timestamps the time is
// that of the host, which may have looked late.
std::chrono::nanoseconds BatchRenderer::measure_work(const BatchSlot& slot, const std::byte* result)
{
    const auto now = std::chrono::steady_clock::now();
    const auto host_begin = std::max(slot.submitted, std::exchange(host_end_, now));
    const auto measured = slot.timestamps.read(result + slot.timestamps_offset);
    slot.timestamps.add_pass_times(result + slot.timestamps_offset, pass_times_);
    if (!measured) return now - host_begin;
    const double begin_ns = std::max(measured->begin_ns, device_end_ns_);
    device_end_ns_ = std::max(device_end_ns_, measured->end_ns);
    return std::chrono::nanoseconds(std::llround(std::max(measured->end_ns - begin_ns, 0.0)));
}

std::chrono::steady_clock::time_point BatchRenderer::count(HostStep step,
                                                           std::chrono::steady_clock::time_point begin)
{
    const auto now = std::chrono::steady_clock::now();
    host_times_[static_cast<std::size_t>(step)] += now - begin;
    return now;
}

// A time may be imprecise, so a lower estimate moves half of the way.
void BatchRenderer::update_cost(const BatchSlot& slot, double seconds)
{
    const double measured = seconds / std::max(slot.cost, 1.0);
    for (const auto& posed : std::span(slot.posed).first(slot.scenes)) {
        auto& seconds_per_cost = posed.drawable.gpu->seconds_per_cost;
        seconds_per_cost = seconds_per_cost > measured ? 0.5 * (seconds_per_cost + measured) : measured;
    }
}

// Joint names are drawn into a copy: the buffer's memory may be cached and not coherent.
void BatchRenderer::write_frame(BatchSlot& slot, std::size_t image, const std::byte* result, bool shares)
{
    const auto& shown = slot.images[image];
    const auto& drawable = shown.drawable;
    const auto* view = shown.view;
    auto* frame = shown.frame;
    const auto& offsets = slot.image_offsets[image];
    const auto& posed = slot.posed[offsets.posed];
    const auto* boxes = reinterpret_cast<const EncodedBounds*>(result + posed.boxes_offset);
    const std::span pixels(reinterpret_cast<const std::uint8_t*>(result + offsets.pixels_offset),
                           pixel_bytes(*view));
    frame->width = view->width;
    frame->height = view->height;
    if (shares && !view->overlays.names)
        frame->pixels = slot.readback.pixels(pixels);
    else
        frame->pixels.assign(pixels);
    scene::Aabb bounds;
    for (std::uint32_t i = 0; posed.boxes && i < shown.solid_count(); ++i)
        bounds.add(decode(boxes[offsets.pose + i]));
    frame->bounds = posed.boxes ? translated(bounds, drawable.gpu->packed.origin) : scene::Aabb{};
    frame->framing = translated(shown.framing, drawable.gpu->packed.origin);
    if (view->overlays.names)
        names_.draw(*drawable.scene, posed.pose_evaluator.joints(offsets.pose), slot.params[image], *frame);
}

bool BatchRenderer::is_current(const Skinned& skinned, const PosedScene& posed)
{
    return skinned.scene.lock() == posed.drawable.gpu && skinned.clip_times == posed.clip_times &&
           skinned.placements == posed.placements && (skinned.has_tangents || !posed.tangents) &&
           (skinned.has_boxes || !posed.boxes);
}

void BatchRenderer::forget_skinned()
{
    for (auto& skinned : skinned_)
        skinned.scene.reset();
}

void BatchRenderer::release()
{
    discard_request();
    collect(timeline_->submitted());
    timeline_->wait(timeline_->submitted()); // for uploads
    for (auto& slot : slots_) {
        slot.posed.clear();
        slot.frame_data = {};
        slot.readback = {};
        slot.sorted_indices = {};
    }
    readback_pool_->trim();
    skinned_.clear();
    resolved_pixels_ = {};
    target_pool_.clear();
}

} // namespace vitrine::render
