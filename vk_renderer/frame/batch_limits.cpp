// Decides which images are rendered in one submission.

#include <algorithm>

#include "vk_renderer/frame/batch_renderer.hpp"
#include "vk_renderer/frame/batch_sizes.hpp"
#include "vk_renderer/frame/weight_colors.hpp"

namespace vitrine::render {
namespace {

constexpr std::size_t max_scenes = 16;
// Limit of a submission's estimated duration, far below the submit timeout. The estimate comes from earlier
// images of the scenes; the overdraw of a scene that was never drawn is unknown, so one image of it is
// rendered first.
constexpr double max_seconds = 4.0;
constexpr double default_picture_seconds = 0.25;
constexpr VkDeviceSize shared_bytes = 8u << 20; // skinned vertices of scenes that share a batch

double seconds_of(const BatchPicture& picture)
{
    const auto& gpu = *picture.drawable.gpu;
    return gpu.seconds_per_cost > 0.0 ? gpu.seconds_per_cost * cost_of(gpu, *picture.view)
                                      : default_picture_seconds;
}

VkDeviceSize skinned_bytes(const GpuScene& scene)
{
    return scene.vertex_count() * (vertex_bytes + (scene.packed.has_tangents ? tangent_bytes : 0));
}

const PosedScene* find_posed_scene(const BatchSlot& slot, const GpuScene* scene)
{
    const std::span used(slot.posed.data(), slot.scenes);
    const auto found = std::ranges::find_if(
        used, [&](const PosedScene& posed) { return posed.drawable.gpu.get() == scene; });
    return found != used.end() ? &*found : nullptr;
}

} // namespace

std::uint32_t BatchRunner::max_poses(const GpuScene& scene) const
{
    const VkDeviceSize entry =
        scene.packed.dqs_instances.empty() ? sizeof(scene::PaletteEntry) : dqs_entry_bytes;
    const VkDeviceSize palette = std::max<VkDeviceSize>(scene.packed.palette_count * entry, 1);
    const VkDeviceSize range = device_->limits.maxStorageBufferRange;
    const VkDeviceSize texels = VkDeviceSize{device_->limits.maxTexelBufferElements} * 16;
    const VkDeviceSize bindable = device_->traits.prefers_texel_buffers ? std::min(range, texels) : range;
    const VkDeviceSize skinned = skinned_bytes(scene);
    const auto fits = std::min({bindable / skinned, bindable / palette, max_target_bytes / skinned});
    return static_cast<std::uint32_t>(std::clamp<VkDeviceSize>(fits, 1, 1u << 16));
}

bool BatchRunner::fits(const BatchSlot& slot, const BatchPicture& picture) const
{
    if (slot.pictures.empty()) return true;
    if (slot.pictures.size() >= max_pictures_ || slot.seconds + seconds_of(picture) > max_seconds)
        return false;
    if (slot.pixel_bytes + pixel_bytes(*picture.view) > max_readback_bytes) return false;
    const auto* posed = find_posed_scene(slot, picture.drawable.gpu.get());
    const bool alone = slot.scenes == 1 && posed != nullptr;
    if (!alone && slot.skinned_bytes + skinned_bytes(*picture.drawable.gpu) > shared_bytes) return false;
    if (posed == nullptr) return slot.scenes < max_scenes;
    if (picture.drawable.gpu->seconds_per_cost == 0.0) return false;
    return std::ranges::find(posed->clip_times, picture.clip_time) != posed->clip_times.end() ||
           posed->count() < max_poses(*picture.drawable.gpu);
}

PosedScene& BatchRunner::posed_scene_of(BatchSlot& slot, const Drawable& drawable) const
{
    if (const auto* found = find_posed_scene(slot, drawable.gpu.get()); found != nullptr)
        return slot.posed[static_cast<std::size_t>(found - slot.posed.data())];
    if (slot.scenes == slot.posed.size()) slot.posed.emplace_back();
    auto& posed = slot.posed[slot.scenes++];
    posed.drawable = drawable;
    posed.clip_times.clear();
    posed.skeleton = posed.tangents = false;
    return posed;
}

void BatchRunner::add_picture(BatchSlot& slot, const BatchPicture& picture)
{
    auto& posed = posed_scene_of(slot, picture.drawable);
    posed.tangents = picture.drawable.gpu->packed.has_tangents;
    posed.skeleton = posed.skeleton || picture.view->overlays.skeleton || picture.view->overlays.names;
    auto found = std::ranges::find(posed.clip_times, picture.clip_time);
    if (found == posed.clip_times.end()) {
        found = posed.clip_times.insert(found, picture.clip_time);
        slot.skinned_bytes += skinned_bytes(*picture.drawable.gpu);
    }
    slot.picture_slots.push_back({.posed = static_cast<std::size_t>(&posed - slot.posed.data()),
                                  .pose = static_cast<std::uint32_t>(found - posed.clip_times.begin())});
    slot.pictures.push_back(picture);
    slot.pixel_bytes += aligned(pixel_bytes(*picture.view));
    slot.cost += cost_of(*picture.drawable.gpu, *picture.view);
    slot.seconds += seconds_of(picture);
}

void BatchRunner::ensure_weight_colors(const BatchPicture& picture)
{
    auto& gpu = *picture.drawable.gpu;
    const auto& overlays = picture.view->overlays;
    if (overlays.surface != DebugView::weights) return;
    if (gpu.weight_colors && gpu.weighed_joint == overlays.joint) return;
    const auto colors = weight_colors(*picture.drawable.scene, gpu.packed, overlays.joint);
    if (open_slot_ != nullptr) draw_gathered();
    timeline_->defer_destroy(std::exchange(gpu.weight_colors, {}));
    gpu.weight_colors = Buffer(*device_, std::span(colors).size_bytes(),
                               {MemoryDomain::upload, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT}, "weight colors");
    copy_to<shared::VertexAttributes>(gpu.weight_colors, 0, colors);
    gpu.weighed_joint = overlays.joint;
}

void BatchRunner::add(const BatchPicture& picture)
{
    ensure_weight_colors(picture);
    if (open_slot_ != nullptr && !fits(*open_slot_, picture)) {
        auto& slot = *open_slot_;
        const bool unknown = picture.drawable.gpu->seconds_per_cost == 0.0;
        draw_gathered();
        if (unknown && find_posed_scene(slot, picture.drawable.gpu.get()) != nullptr) collect(slot);
    }
    if (open_slot_ == nullptr) open_slot_ = &next_slot();
    add_picture(*open_slot_, picture);
}

} // namespace vitrine::render
