// What belongs into one submission.

#include <algorithm>

#include "vk_renderer/frame/batch.hpp"
#include "vk_renderer/frame/batch_sizes.hpp"
#include "vk_renderer/frame/weight_colours.hpp"

namespace vitrine::render {
namespace {

constexpr std::size_t most_scenes = 16;
// Of a submission, by what its scenes took before: far from the time after which one counts as hung. How
// often a picture is drawn over nobody knows before it was drawn: of a scene that never was, one picture goes
// ahead.
constexpr double most_seconds = 4.0;
constexpr double unknown_seconds = 0.25;
constexpr VkDeviceSize shared_bytes = 8u << 20; // skinned vertices of scenes that share a batch

double seconds_of(const Picture& picture)
{
    const auto& gpu = *picture.drawable.gpu;
    return gpu.seconds_per_work > 0.0 ? gpu.seconds_per_work * work_of(gpu, *picture.view) : unknown_seconds;
}

VkDeviceSize skinned_bytes(const GpuScene& scene)
{
    return scene.vertex_count() * (vertex_bytes + (scene.packed.has_tangents ? tangent_bytes : 0));
}

const Posed* find_posed(const Slot& slot, const GpuScene* scene)
{
    const std::span used(slot.posed.data(), slot.scenes);
    const auto found =
        std::ranges::find_if(used, [&](const Posed& posed) { return posed.drawable.gpu.get() == scene; });
    return found != used.end() ? &*found : nullptr;
}

} // namespace

std::uint32_t BatchRunner::most_poses(const GpuScene& scene) const
{
    const VkDeviceSize entry =
        scene.packed.dual_instances.empty() ? sizeof(scene::PaletteEntry) : dual_entry_bytes;
    const VkDeviceSize palette = std::max<VkDeviceSize>(scene.packed.palette_count * entry, 1);
    const VkDeviceSize range = device_->limits.maxStorageBufferRange;
    const VkDeviceSize texels = VkDeviceSize{device_->limits.maxTexelBufferElements} * 16;
    const VkDeviceSize bindable = device_->traits.read_through_texels ? std::min(range, texels) : range;
    const VkDeviceSize skinned = skinned_bytes(scene);
    const auto fits = std::min({bindable / skinned, bindable / palette, batch_bytes / skinned});
    return static_cast<std::uint32_t>(std::clamp<VkDeviceSize>(fits, 1, 1u << 16));
}

bool BatchRunner::fits(const Slot& slot, const Picture& picture) const
{
    if (slot.pictures.empty()) return true;
    if (slot.pictures.size() >= most_pictures_ || slot.seconds + seconds_of(picture) > most_seconds)
        return false;
    if (slot.pixel_bytes + pixel_bytes(*picture.view) > batch_pixels) return false;
    const auto* posed = find_posed(slot, picture.drawable.gpu.get());
    const bool alone = slot.scenes == 1 && posed != nullptr;
    if (!alone && slot.skinned_bytes + skinned_bytes(*picture.drawable.gpu) > shared_bytes) return false;
    if (posed == nullptr) return slot.scenes < most_scenes;
    if (picture.drawable.gpu->seconds_per_work == 0.0) return false;
    return std::ranges::find(posed->moments, picture.moment) != posed->moments.end() ||
           posed->count() < most_poses(*picture.drawable.gpu);
}

Posed& BatchRunner::posed_of(Slot& slot, const Drawable& drawable) const
{
    if (const auto* found = find_posed(slot, drawable.gpu.get()); found != nullptr)
        return slot.posed[static_cast<std::size_t>(found - slot.posed.data())];
    if (slot.scenes == slot.posed.size()) slot.posed.emplace_back();
    auto& posed = slot.posed[slot.scenes++];
    posed.drawable = drawable;
    posed.moments.clear();
    posed.skeleton = posed.tangents = false;
    return posed;
}

void BatchRunner::place(Slot& slot, const Picture& picture)
{
    auto& posed = posed_of(slot, picture.drawable);
    posed.tangents = picture.drawable.gpu->packed.has_tangents;
    posed.skeleton = posed.skeleton || picture.view->overlays.skeleton || picture.view->overlays.names;
    auto found = std::ranges::find(posed.moments, picture.moment);
    if (found == posed.moments.end()) {
        found = posed.moments.insert(found, picture.moment);
        slot.skinned_bytes += skinned_bytes(*picture.drawable.gpu);
    }
    slot.placed.push_back({.posed = static_cast<std::size_t>(&posed - slot.posed.data()),
                           .pose = static_cast<std::uint32_t>(found - posed.moments.begin())});
    slot.pictures.push_back(picture);
    slot.pixel_bytes += aligned(pixel_bytes(*picture.view));
    slot.work += work_of(*picture.drawable.gpu, *picture.view);
    slot.seconds += seconds_of(picture);
}

void BatchRunner::ensure_weight_colours(const Picture& picture)
{
    auto& gpu = *picture.drawable.gpu;
    const auto& overlays = picture.view->overlays;
    if (overlays.surface != Surface::weights) return;
    if (gpu.weight_colours && gpu.weighed_joint == overlays.joint) return;
    const auto colours = weight_colours(*picture.drawable.scene, gpu.packed, overlays.joint);
    if (gathering_ != nullptr) draw_gathered();
    timeline_->bury(std::exchange(gpu.weight_colours, {}));
    gpu.weight_colours = Buffer(*device_, std::span(colours).size_bytes(),
                                {Domain::upload, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT}, "weight colours");
    copy_to<shared::VertexAttributes>(gpu.weight_colours, 0, colours);
    gpu.weighed_joint = overlays.joint;
}

void BatchRunner::add(const Picture& picture)
{
    ensure_weight_colours(picture);
    if (gathering_ != nullptr && !fits(*gathering_, picture)) {
        auto& slot = *gathering_;
        const bool unknown = picture.drawable.gpu->seconds_per_work == 0.0;
        draw_gathered();
        if (unknown && find_posed(slot, picture.drawable.gpu.get()) != nullptr) collect(slot);
    }
    if (gathering_ == nullptr) gathering_ = &next_slot();
    place(*gathering_, picture);
}

} // namespace vitrine::render
