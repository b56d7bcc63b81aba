#include "vk_renderer/batch.hpp"

#include <algorithm>

#include "vk_renderer/camera.hpp"
#include "vk_renderer/framing.hpp"
#include "vk_renderer/weight_colours.hpp"

namespace vitrine::render {
namespace {

constexpr std::size_t most_pictures = 256;
constexpr std::size_t most_scenes = 16;
// What a device does for a batch, in pixels; a vertex with the triangles about it is worth some. Where a
// processor draws that is a second or two: far from the time after which a submission counts as hung.
constexpr std::uint64_t batch_work = 64u << 20;
constexpr std::uint64_t vertex_pixels = 16;
constexpr VkDeviceSize batch_bytes = 192u << 20; // of images, of skinned vertices, of pixels
constexpr VkDeviceSize shared_bytes = 8u << 20;  // skinned vertices of scenes that share a batch
constexpr VkDeviceSize vertex_bytes = 16;
constexpr VkDeviceSize tangent_bytes = 4;
constexpr VkDeviceSize dual_entry_bytes = 80; // of Poser::dual_palettes
constexpr VkDeviceSize alignment = 256;       // a multiple of every device's minimum for offsets

// Pictures whose layers are drawn before the first of them is resolved. A GPU wants much work between two
// barriers; on a CPU the layers of more pictures than these drive each other out of its cache.
constexpr std::uint32_t layers_on_gpu = 16;
constexpr std::uint32_t layers_on_cpu = 2;

VkDeviceSize aligned(VkDeviceSize value)
{
    return (value + alignment - 1) / alignment * alignment;
}

VkDeviceSize pixel_bytes(const View& view)
{
    return VkDeviceSize{view.width} * view.height * 4;
}

std::uint64_t work_of(const Picture& picture)
{
    return std::uint64_t{picture.view->width} * picture.view->height +
           vertex_pixels * picture.drawable.gpu->vertex_count();
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

BatchRunner::BatchRunner(Device& device, Timeline& timeline)
    : device_(&device), timeline_(&timeline), resolve_(device), shadow_(device), skinning_(device),
      bounds_(device), targets_(device), raster_(device, targets_.samples()),
      slots_{Slot(device), Slot(device), Slot(device)}
{
}

void BatchRunner::prepare()
{
    skinning_.prepare();
    bounds_.prepare();
    raster_.prepare();
}

void BatchRunner::ensure(Buffer& buffer, VkDeviceSize size, BufferUse use, std::string_view name)
{
    if (buffer && buffer.size() >= size) return;
    timeline_->bury(std::exchange(buffer, {}));
    // With room to spare, but not beyond what a shader may see at once.
    const VkDeviceSize range = device_->limits.maxStorageBufferRange;
    buffer = Buffer(*device_, std::max(size, std::min(size + size / 4, range)), use, name);
}

// The oldest that is not being gathered, its pictures delivered.
Slot& BatchRunner::next_slot()
{
    do
        ++turn_;
    while (&slots_[turn_ % slots_.size()] == gathering_);
    auto& slot = slots_[turn_ % slots_.size()];
    collect(slot);
    timeline_->collect();
    return slot;
}

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

VkDeviceSize BatchRunner::params_stride() const
{
    const auto least = std::max<VkDeviceSize>(device_->limits.minUniformBufferOffsetAlignment, 1);
    return (sizeof(shared::FrameParams) + least - 1) / least * least;
}

std::uint32_t BatchRunner::layers_of(const Slot& slot) const
{
    VkDeviceSize largest = 1;
    for (const auto& picture : slot.pictures)
        largest = std::max(largest, VkDeviceSize{picture.view->width} * picture.view->height);
    constexpr VkDeviceSize bytes = 4 * 8; // samples, of colour and depth
    const auto most = device_->traits.software ? layers_on_cpu : layers_on_gpu;
    return static_cast<std::uint32_t>(std::clamp<VkDeviceSize>(
        batch_bytes / (largest * bytes), 1, std::min<VkDeviceSize>(most, slot.pictures.size())));
}

bool BatchRunner::fits(const Slot& slot, const Picture& picture) const
{
    if (slot.pictures.empty()) return true;
    if (slot.pictures.size() == most_pictures || slot.work + work_of(picture) > batch_work) return false;
    if (slot.pixel_bytes + pixel_bytes(*picture.view) > batch_bytes) return false;
    const auto* posed = find_posed(slot, picture.drawable.gpu.get());
    const bool alone = slot.scenes == 1 && posed != nullptr;
    if (!alone && slot.skinned_bytes + skinned_bytes(*picture.drawable.gpu) > shared_bytes) return false;
    if (posed == nullptr) return slot.scenes < most_scenes;
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
    slot.work += work_of(picture);
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
    if (gathering_ != nullptr && !fits(*gathering_, picture)) draw_gathered();
    if (gathering_ == nullptr) gathering_ = &next_slot();
    place(*gathering_, picture);
}

void BatchRunner::flush()
{
    if (gathering_ != nullptr) draw_gathered();
    for (std::size_t i = 1; i <= slots_.size(); ++i) // the oldest first
        collect(slots_[(turn_ + i) % slots_.size()]);
}

void BatchRunner::forget()
{
    gathering_ = nullptr;
    for (auto& slot : slots_)
        slot.pictures.clear();
}

void BatchRunner::release()
{
    forget();
    for (auto& slot : slots_) {
        collect(slot);
        slot.posed.clear();
        slot.frames = {};
        slot.readback = {};
        slot.ordered = {};
    }
    skinned_.clear();
    targets_.clear();
}

// Its commands are done when it returns, its frames written, and its scenes let go.
void BatchRunner::collect(Slot& slot)
{
    timeline_->wait(slot.done);
    const auto elapsed = std::chrono::steady_clock::now() - slot.submitted;
    for (std::size_t i = 0; i < slot.pictures.size(); ++i) {
        const auto& [drawable, view, framing, moment, frame] = slot.pictures[i];
        const auto& placed = slot.placed[i];
        const auto* boxes = reinterpret_cast<const EncodedBounds*>(slot.readback.mapped() +
                                                                   slot.posed[placed.posed].boxes_at);
        const auto* pixels = reinterpret_cast<const std::uint8_t*>(slot.readback.mapped() + placed.pixels_at);
        frame->width = view->width;
        frame->height = view->height;
        frame->pixels.assign(pixels, pixels + pixel_bytes(*view));
        frame->bounds = moved(decode(boxes[placed.pose]), drawable.gpu->packed.origin);
        if (view->overlays.names)
            draw_names(*drawable.scene, slot.posed[placed.posed].poser.joints(placed.pose), slot.params[i],
                       *frame);
        frame->render_us = static_cast<std::uint32_t>(
            std::chrono::duration_cast<std::chrono::microseconds>(elapsed).count());
    }
    for (auto& posed : std::span(slot.posed).first(slot.scenes))
        posed.drawable = {};
    slot.pictures.clear();
    slot.placed.clear();
    slot.scenes = 0;
    slot.skinned_bytes = slot.pixel_bytes = slot.work = 0;
}

// The scenes' poses on the host, and room for their vertices on the device.
void BatchRunner::pose(Slot& slot)
{
    constexpr VkBufferUsageFlags storage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    constexpr VkFormat texels = VK_FORMAT_R32G32B32A32_UINT;
    constexpr VkFormat words = VK_FORMAT_R32_UINT;
    if (skinned_.size() < slot.scenes) skinned_.resize(slot.scenes);
    for (std::size_t i = 0; i < slot.scenes; ++i) {
        auto& posed = slot.posed[i];
        const auto& gpu = *posed.drawable.gpu;
        posed.poser.begin(*posed.drawable.scene, gpu.packed, posed.skeleton);
        for (const auto& moment : posed.moments)
            posed.poser.add(moment);
        ensure(posed.palettes, posed.poser.palettes().size_bytes(), {Domain::upload, storage, texels},
               "palettes");
        ensure(posed.dual_palettes, posed.poser.dual_palettes().size_bytes(),
               {Domain::upload, storage, texels}, "dual quaternions");
        ensure(posed.values, posed.poser.values().size_bytes(), {Domain::upload, storage, words},
               "morph weights");
        copy_to(posed.palettes, 0, posed.poser.palettes());
        copy_to(posed.dual_palettes, 0, posed.poser.dual_palettes());
        copy_to(posed.values, 0, posed.poser.values());
        const VkDeviceSize vertices = VkDeviceSize{posed.count()} * gpu.vertex_count();
        if (posed.tangents)
            ensure(skinned_[i].tangents, vertices * tangent_bytes,
                   {Domain::device,
                    storage | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT},
                   "skinned tangents");
        ensure(skinned_[i].vertices, vertices * vertex_bytes,
               {Domain::device,
                storage | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT, texels},
               "skinned vertices");
        ensure(
            skinned_[i].boxes, posed.count() * sizeof(EncodedBounds),
            {Domain::device, storage | VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT},
            "bounds");
    }
}

VkDeviceSize BatchRunner::lay_out_readback(Slot& slot, VkDeviceSize more_bytes)
{
    VkDeviceSize at = 0;
    for (auto& posed : std::span(slot.posed).first(slot.scenes)) {
        posed.boxes_at = at;
        at += aligned(posed.count() * sizeof(EncodedBounds));
    }
    ensure(slot.readback, at + more_bytes,
           {Domain::readback, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT},
           "readback");
    return at;
}

void BatchRunner::write_frame_data(Slot& slot)
{
    const auto scale = static_cast<float>(targets_.scale());
    slot.params.clear();
    for (const auto& picture : slot.pictures) {
        auto& params = slot.params.emplace_back(
            frame_params(*picture.view, picture.framing, picture.drawable.gpu->packed.origin));
        const auto width = static_cast<float>(picture.view->width) * scale;
        const auto height = static_cast<float>(picture.view->height) * scale;
        params.viewport = {width, height, 1.0f / width, 1.0f / height};
        params.ray.w = scale;
    }
    auto at = aligned(slot.params.size() * params_stride());
    for (auto& posed : std::span(slot.posed).first(slot.scenes)) {
        posed.segments_at = at;
        at += aligned(std::max<VkDeviceSize>(posed.poser.segments().size_bytes(), sizeof(shared::Segment)));
    }
    ensure(slot.frames, at,
           {Domain::upload, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT},
           "frames");
    for (std::size_t i = 0; i < slot.params.size(); ++i)
        copy_to<shared::FrameParams>(slot.frames, i * params_stride(), {&slot.params[i], 1});
    for (const auto& posed : std::span(slot.posed).first(slot.scenes))
        copy_to(slot.frames, posed.segments_at, posed.poser.segments());
}

void BatchRunner::draw_gathered()
{
    auto& slot = *std::exchange(gathering_, nullptr);
    pose(slot);
    write_frame_data(slot);
    write_order(slot);
    auto at = lay_out_readback(slot, slot.pixel_bytes);
    std::uint32_t width = 1, height = 1;
    for (std::size_t i = 0; i < slot.pictures.size(); ++i) {
        const auto& view = *slot.pictures[i].view;
        slot.placed[i].pixels_at = at;
        at += aligned(pixel_bytes(view));
        width = std::max(width, view.width);
        height = std::max(height, view.height);
    }
    auto* commands = slot.commands.begin();
    targets_.ensure(commands, *timeline_, width, height, layers_of(slot));
    record_skinning(slot, commands);
    record_pictures(slot, commands);
    submit(slot, commands);
    targets_.settle();
}

} // namespace vitrine::render
