#include "vk_renderer/frame/batch_renderer.hpp"

#include <algorithm>

#include "vk_renderer/camera/camera.hpp"
#include "vk_renderer/camera/framing_bounds.hpp"
#include "vk_renderer/frame/batch_sizes.hpp"
#include "vk_renderer/passes/point_size.hpp"

namespace vitrine::render {
namespace {

// In samples.
float max_point_diameter(const Device& device)
{
    return device.features.largePoints == VK_TRUE ? device.limits.pointSizeRange[1] : 1.0f;
}

// Number of images whose color targets are drawn before the first of them is resolved. A GPU needs much work
// between two barriers; on a CPU the targets of more images evict each other from the cache.
constexpr std::uint32_t max_targets_gpu = 16;
constexpr std::uint32_t max_targets_cpu = 2;

} // namespace

BatchRunner::BatchRunner(Device& device, Timeline& timeline, const Options& options)
    : device_(&device), timeline_(&timeline), resolve_(device), shadow_(device), skinning_(device),
      bounds_(device), names_(options.label_font, options.on_log_message), target_pool_(device),
      raster_(device, target_pool_.samples()), slots_{BatchSlot(device), BatchSlot(device), BatchSlot(device)}
{
}

void BatchRunner::prepare()
{
    skinning_.prepare();
    bounds_.prepare();
    raster_.prepare();
}

void BatchRunner::ensure(Buffer& buffer, VkDeviceSize size, BufferDesc use, std::string_view name)
{
    if (buffer && buffer.size() >= size) return;
    timeline_->defer_destroy(std::exchange(buffer, {}));
    // Allocates with a reserve, but not beyond maxStorageBufferRange.
    const VkDeviceSize range = device_->limits.maxStorageBufferRange;
    buffer = Buffer(*device_, std::max(size, std::min(size + size / 4, range)), use, name);
}

// Returns the oldest slot that is not being filled, with its images delivered.
BatchSlot& BatchRunner::next_slot()
{
    do
        ++next_slot_;
    while (&slots_[next_slot_ % slots_.size()] == open_slot_);
    auto& slot = slots_[next_slot_ % slots_.size()];
    collect(slot);
    timeline_->collect();
    return slot;
}

VkDeviceSize BatchRunner::params_stride() const
{
    const auto alignment = std::max<VkDeviceSize>(device_->limits.minUniformBufferOffsetAlignment, 1);
    return (sizeof(shared::FrameParams) + alignment - 1) / alignment * alignment;
}

std::uint32_t BatchRunner::target_count(const BatchSlot& slot) const
{
    VkDeviceSize max_pixels = 1;
    for (const auto& picture : slot.pictures)
        max_pixels = std::max(max_pixels, VkDeviceSize{picture.view->width} * picture.view->height);
    constexpr VkDeviceSize bytes = 4 * 8; // samples with color and depth
    const auto max_targets = device_->traits.software ? max_targets_cpu : max_targets_gpu;
    return static_cast<std::uint32_t>(
        std::clamp<VkDeviceSize>(max_target_bytes / (max_pixels * bytes), 1,
                                 std::min<VkDeviceSize>(max_targets, slot.pictures.size())));
}

void BatchRunner::flush()
{
    if (open_slot_ != nullptr) draw_gathered();
    for (std::size_t i = 1; i <= slots_.size(); ++i) // oldest first
        collect(slots_[(next_slot_ + i) % slots_.size()]);
}

void BatchRunner::discard_pending()
{
    open_slot_ = nullptr;
    for (auto& slot : slots_)
        slot.pictures.clear();
}

void BatchRunner::release()
{
    discard_pending();
    for (auto& slot : slots_) {
        collect(slot);
        slot.posed.clear();
        slot.frames = {};
        slot.readback = {};
        slot.ordered = {};
    }
    skinned_.clear();
    target_pool_.clear();
}

// A batch may have waited for the host longer than for the device, so the estimate moves half of the way.
void BatchRunner::update_cost(const BatchSlot& slot, double seconds)
{
    const double measured = seconds / std::max(slot.cost, 1.0);
    for (const auto& posed : std::span(slot.posed).first(slot.scenes)) {
        auto& seconds_per_cost = posed.drawable.gpu->seconds_per_cost;
        seconds_per_cost = seconds_per_cost > measured ? 0.5 * (seconds_per_cost + measured) : measured;
    }
}

// Waits for the slot's commands, writes its frames and releases its scenes.
void BatchRunner::collect(BatchSlot& slot)
{
    timeline_->wait(slot.done);
    const auto now = std::chrono::steady_clock::now();
    const auto elapsed = now - slot.submitted;
    if (!slot.pictures.empty()) {
        update_cost(slot, std::chrono::duration<double>(now - std::max(slot.submitted, idle_since_)).count());
        idle_since_ = now;
    }
    for (std::size_t i = 0; i < slot.pictures.size(); ++i) {
        const auto& [drawable, view, framing, clip_time, frame] = slot.pictures[i];
        const auto& picture_slot = slot.picture_slots[i];
        const auto* boxes = reinterpret_cast<const EncodedBounds*>(slot.readback.mapped() +
                                                                   slot.posed[picture_slot.posed].boxes_at);
        const auto* pixels =
            reinterpret_cast<const std::uint8_t*>(slot.readback.mapped() + picture_slot.pixels_at);
        frame->width = view->width;
        frame->height = view->height;
        frame->pixels.assign(pixels, pixels + pixel_bytes(*view));
        frame->bounds = translated(decode(boxes[picture_slot.pose]), drawable.gpu->packed.origin);
        frame->framing = translated(framing, drawable.gpu->packed.origin);
        if (view->overlays.names)
            names_.draw(*drawable.scene,
                        slot.posed[picture_slot.posed].pose_evaluator.joints(picture_slot.pose),
                        slot.params[i], *frame);
        frame->render_us = static_cast<std::uint32_t>(
            std::chrono::duration_cast<std::chrono::microseconds>(elapsed).count());
    }
    for (auto& posed : std::span(slot.posed).first(slot.scenes))
        posed.drawable = {};
    slot.pictures.clear();
    slot.picture_slots.clear();
    slot.scenes = 0;
    slot.skinned_bytes = slot.pixel_bytes = 0;
    slot.cost = slot.seconds = 0.0;
}

// Evaluates the poses of all scenes on the host and allocates their vertices on the device.
void BatchRunner::pose(BatchSlot& slot)
{
    constexpr VkBufferUsageFlags storage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    constexpr VkFormat texel_format = VK_FORMAT_R32G32B32A32_UINT;
    constexpr VkFormat word_format = VK_FORMAT_R32_UINT;
    if (skinned_.size() < slot.scenes) skinned_.resize(slot.scenes);
    for (std::size_t i = 0; i < slot.scenes; ++i) {
        auto& posed = slot.posed[i];
        const auto& gpu = *posed.drawable.gpu;
        posed.pose_evaluator.begin(*posed.drawable.scene, gpu.packed, posed.skeleton);
        for (const auto& clip_time : posed.clip_times)
            posed.pose_evaluator.add(clip_time);
        ensure(posed.palettes, posed.pose_evaluator.palettes().size_bytes(),
               {MemoryDomain::upload, storage, texel_format}, "palettes");
        ensure(posed.dqs_palettes, posed.pose_evaluator.dqs_palettes().size_bytes(),
               {MemoryDomain::upload, storage, texel_format}, "dual quaternions");
        ensure(posed.values, posed.pose_evaluator.values().size_bytes(),
               {MemoryDomain::upload, storage, word_format}, "morph weights");
        copy_to(posed.palettes, 0, posed.pose_evaluator.palettes());
        copy_to(posed.dqs_palettes, 0, posed.pose_evaluator.dqs_palettes());
        copy_to(posed.values, 0, posed.pose_evaluator.values());
        const VkDeviceSize vertices = VkDeviceSize{posed.count()} * gpu.vertex_count();
        if (posed.tangents)
            ensure(skinned_[i].tangents, vertices * tangent_bytes,
                   {MemoryDomain::device,
                    storage | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT},
                   "skinned tangents");
        ensure(skinned_[i].vertices, vertices * vertex_bytes,
               {MemoryDomain::device,
                storage | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT, texel_format},
               "skinned vertices");
        ensure(skinned_[i].boxes, posed.count() * sizeof(EncodedBounds),
               {MemoryDomain::device,
                storage | VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT},
               "bounds");
    }
}

VkDeviceSize BatchRunner::lay_out_readback(BatchSlot& slot, VkDeviceSize more_bytes)
{
    VkDeviceSize at = 0;
    for (auto& posed : std::span(slot.posed).first(slot.scenes)) {
        posed.boxes_at = at;
        at += aligned(posed.count() * sizeof(EncodedBounds));
    }
    ensure(slot.readback, at + more_bytes,
           {MemoryDomain::readback, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT},
           "readback");
    return at;
}

void BatchRunner::write_frame_data(BatchSlot& slot)
{
    const auto scale = static_cast<float>(target_pool_.scale());
    slot.params.clear();
    for (const auto& picture : slot.pictures) {
        auto& params = slot.params.emplace_back(
            frame_params(*picture.view, picture.framing, picture.drawable.gpu->packed.origin));
        const auto width = static_cast<float>(picture.view->width) * scale;
        const auto height = static_cast<float>(picture.view->height) * scale;
        params.viewport = {width, height, 1.0f / width, 1.0f / height};
        params.center_ray.w = scale;
        const auto diameter = point_diameter(picture.drawable.gpu->packed.point_count, picture.view->width,
                                             picture.view->height);
        params.ray_x.w = std::min(point_width(diameter, scale), max_point_diameter(*device_) / scale);
    }
    auto at = aligned(slot.params.size() * params_stride());
    for (auto& posed : std::span(slot.posed).first(slot.scenes)) {
        posed.segments_at = at;
        at += aligned(std::max<VkDeviceSize>(posed.pose_evaluator.segments().size_bytes(),
                                             sizeof(shared::LineSegment)));
    }
    ensure(slot.frames, at,
           {MemoryDomain::upload, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT},
           "frames");
    for (std::size_t i = 0; i < slot.params.size(); ++i)
        copy_to<shared::FrameParams>(slot.frames, i * params_stride(), {&slot.params[i], 1});
    for (const auto& posed : std::span(slot.posed).first(slot.scenes))
        copy_to(slot.frames, posed.segments_at, posed.pose_evaluator.segments());
}

void BatchRunner::draw_gathered()
{
    auto& slot = *std::exchange(open_slot_, nullptr);
    pose(slot);
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

} // namespace vitrine::render
