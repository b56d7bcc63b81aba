// Decides which images are rendered in one submission, and how many share their render targets in turn.
#include <algorithm>

#include "vk_renderer/frame/batch_renderer.hpp"
#include "vk_renderer/frame/batch_sizes.hpp"

namespace vitrine::render {
namespace {

constexpr std::size_t max_scenes = 16;
// Limit of a submission's estimated duration, far below the submit timeout. The estimate comes from earlier
// images of the scenes; the overdraw of a scene that was never drawn is unknown, so one image of it is
// rendered first.
constexpr double max_seconds = 4.0;
constexpr double default_image_seconds = 0.25;
constexpr VkDeviceSize shared_bytes = 8u << 20; // skinned vertices of scenes that share a batch

double seconds_of(const BatchImage& image)
{
    const auto& gpu = *image.drawable.gpu;
    return gpu.seconds_per_cost > 0.0 ? gpu.seconds_per_cost * cost_of(gpu, *image.view)
                                      : default_image_seconds;
}

VkDeviceSize skinned_bytes(const GpuScene& scene)
{
    return scene.vertex_count() * (vertex_bytes + (scene.packed.has_tangents ? tangent_bytes : 0));
}

constexpr std::uint32_t max_card_targets = 16;

// Number of images whose color targets are drawn before the first of them is resolved. A GPU needs much work
// between two barriers. On a CPU the targets of several images evict each other from the cache: one takes 3
// to 10 % less processor time than two. But with two one thread processes the vertices of an image while the
// others shade the image before it, which is a fifth faster for 20,000 vertices.
std::uint32_t max_targets(const DeviceTraits& traits, std::uint32_t vertices)
{
    constexpr std::uint32_t max_single_target_vertices = 8192;
    if (!traits.software) return max_card_targets;
    return vertices <= max_single_target_vertices ? 1 : 2;
}

} // namespace

std::uint32_t BatchRenderer::max_poses(const GpuScene& scene) const
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

std::uint32_t BatchRenderer::target_count(const BatchSlot& slot) const
{
    VkDeviceSize max_pixels = 1;
    for (const auto& image : slot.images)
        max_pixels = std::max(max_pixels, VkDeviceSize{image.view->width} * image.view->height);
    std::uint32_t max_vertices = 0;
    for (const auto& posed : std::span(slot.posed).first(slot.scenes))
        max_vertices = std::max(max_vertices, posed.drawable.gpu->vertex_count());
    constexpr VkDeviceSize bytes = 4 * 8; // samples with color and depth
    const VkDeviceSize most =
        std::min<VkDeviceSize>(max_targets(device_->traits, max_vertices), slot.images.size());
    return static_cast<std::uint32_t>(
        std::clamp<VkDeviceSize>(max_target_bytes / (max_pixels * bytes), 1, most));
}

bool BatchRenderer::fits(const BatchSlot& slot, const BatchImage& image) const
{
    if (slot.images.empty()) return true;
    if (slot.images.size() >= max_images_ || slot.seconds + seconds_of(image) > max_seconds) return false;
    if (slot.pixel_bytes + pixel_bytes(*image.view) > max_readback_bytes) return false;
    if (slot.instance_pixels + instance_pixels(*image.view) > max_instance_pixels) return false;
    const auto* posed = slot.find_posed(*image.drawable.gpu);
    const bool alone = slot.scenes == 1 && posed != nullptr;
    const auto bytes = image.instance_count() * skinned_bytes(*image.drawable.gpu);
    if (!alone && slot.skinned_bytes + bytes > shared_bytes) return false;
    if (posed == nullptr) return slot.scenes < max_scenes;
    if (image.drawable.gpu->seconds_per_cost == 0.0) return false;
    return find_poses(slot, *posed, image) ||
           posed->count() + image.instance_count() <= max_poses(*image.drawable.gpu);
}

// A software device would share the processors with the host that prepares the next images.
bool BatchRenderer::starts_early(const BatchSlot& slot) const
{
    return !device_->traits.software && slot.images.size() % max_card_targets == 0 && timeline_->is_idle();
}

PosedScene& BatchRenderer::find_or_add_posed_scene(BatchSlot& slot, const Drawable& drawable) const
{
    if (const auto* found = slot.find_posed(*drawable.gpu); found != nullptr)
        return slot.posed[static_cast<std::size_t>(found - slot.posed.data())];
    if (slot.scenes == slot.posed.size()) slot.posed.emplace_back();
    auto& posed = slot.posed[slot.scenes++];
    posed.drawable = drawable;
    posed.clip_times.clear();
    posed.placements.clear();
    posed.skeleton = posed.tangents = posed.boxes = false;
    return posed;
}

std::optional<std::uint32_t> BatchRenderer::find_poses(const BatchSlot& slot, const PosedScene& posed,
                                                       const BatchImage& image)
{
    if (image.instances) {
        for (std::size_t i = 0; i < slot.images.size(); ++i) {
            const auto& other = slot.images[i];
            if (other.drawable.gpu == image.drawable.gpu && other.instances &&
                *other.instances == *image.instances)
                return slot.image_offsets[i].pose;
        }
        return std::nullopt;
    }
    for (std::uint32_t i = 0; i < posed.count(); ++i)
        if (posed.clip_times[i] == image.clip_time &&
            (posed.placements.empty() || posed.placements[i] == InstancePlacement{}))
            return i;
    return std::nullopt;
}

std::uint32_t BatchRenderer::add_poses(PosedScene& posed, const BatchImage& image)
{
    const auto first = posed.count();
    if (!image.instances) {
        posed.clip_times.push_back(image.clip_time);
        if (!posed.placements.empty()) posed.placements.emplace_back();
        return first;
    }
    posed.placements.resize(first);
    for (const auto& [clip_time, placement] : *image.instances) {
        posed.clip_times.push_back(clip_time);
        posed.placements.push_back(placement);
    }
    return first;
}

void BatchRenderer::add_image(BatchSlot& slot, const BatchImage& image)
{
    auto& posed = find_or_add_posed_scene(slot, image.drawable);
    posed.tangents = image.drawable.gpu->packed.has_tangents;
    posed.boxes = posed.boxes || !device_->traits.single_use || image.view->overlays.bounds;
    posed.skeleton = posed.skeleton || image.view->overlays.skeleton || image.view->overlays.names;
    auto pose = find_poses(slot, posed, image);
    if (!pose) {
        pose = add_poses(posed, image);
        slot.skinned_bytes += image.instance_count() * skinned_bytes(*image.drawable.gpu);
    }
    slot.image_offsets.push_back(
        {.posed = static_cast<std::size_t>(&posed - slot.posed.data()), .pose = *pose});
    slot.images.push_back(image);
    slot.pixel_bytes += aligned(pixel_bytes(*image.view));
    slot.instance_pixels += instance_pixels(*image.view);
    slot.cost += cost_of(*image.drawable.gpu, *image.view);
    slot.seconds += seconds_of(image);
}

} // namespace vitrine::render
