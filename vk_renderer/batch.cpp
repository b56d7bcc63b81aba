#include "vk_renderer/batch.hpp"

#include <algorithm>
#include <cstring>

#include "vk_renderer/camera.hpp"

namespace vitrine::render {
namespace {

constexpr std::uint32_t largest_batch = 16;
constexpr std::uint32_t largest_measured_batch = 256;
// On a CPU vertices that are measured stay in its cache; fewer frames than these and the skinning, which
// walks all of a vertex, gets slower.
constexpr VkDeviceSize measured_bytes_on_cpu = 8u << 20;
constexpr VkDeviceSize least_measured_on_cpu = 8;
constexpr VkDeviceSize batch_bytes = 192u << 20; // images and skinned vertices of one batch
constexpr VkDeviceSize vertex_bytes = 16;
constexpr VkDeviceSize box_alignment = 256;

template <class T>
void copy_to(const Buffer& buffer, VkDeviceSize offset, std::span<const T> data)
{
    if (!data.empty()) std::memcpy(buffer.mapped() + offset, data.data(), data.size_bytes());
}

VkDeviceSize align(VkDeviceSize value, VkDeviceSize alignment)
{
    return (value + alignment - 1) / alignment * alignment;
}

VkDeviceSize pixel_bytes(const View& view)
{
    return VkDeviceSize{view.width} * view.height * 4;
}

} // namespace

BatchRunner::BatchRunner(Device& device, Timeline& timeline)
    : device_(&device), timeline_(&timeline), skinning_(device), bounds_(device), targets_(device),
      shadow_(device), raster_(device, targets_.samples()), resolve_(device, !device.traits.supersample),
      slots_{Slot(device), Slot(device)}
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

BatchRunner::Slot& BatchRunner::next_slot()
{
    auto& slot = slots_[turn_++ % slots_.size()];
    timeline_->wait(slot.done);
    timeline_->collect();
    return slot;
}

std::uint32_t BatchRunner::frames_per_batch(const GpuScene& scene, VkDeviceSize bytes_per_frame,
                                            std::uint32_t most) const
{
    const VkDeviceSize skinned = scene.vertex_count() * vertex_bytes;
    const VkDeviceSize palette =
        std::max<VkDeviceSize>(scene.packed.palette_count * sizeof(scene::PaletteEntry), 1);
    const VkDeviceSize range = device_->limits.maxStorageBufferRange;
    const VkDeviceSize texels = VkDeviceSize{device_->limits.maxTexelBufferElements} * 16;
    const VkDeviceSize bindable = device_->traits.read_through_texels ? std::min(range, texels) : range;
    const auto fits =
        std::min({bindable / skinned, bindable / palette, batch_bytes / (skinned + bytes_per_frame)});
    return static_cast<std::uint32_t>(std::clamp<VkDeviceSize>(fits, 1, most));
}

VkDeviceSize BatchRunner::params_stride() const
{
    return align(sizeof(shared::FrameParams),
                 std::max<VkDeviceSize>(device_->limits.minUniformBufferOffsetAlignment,
                                        device_->limits.minStorageBufferOffsetAlignment));
}

VkDeviceSize BatchRunner::pixels_at(const Slot& slot, const View& view, std::uint32_t frame) const
{
    return align(slot.count * sizeof(EncodedBounds), box_alignment) +
           frame * align(pixel_bytes(view), box_alignment);
}

VkCommandBuffer BatchRunner::begin(Slot& slot, Drawable drawable, std::span<const Moment> moments,
                                   bool skeleton, VkDeviceSize bytes_per_frame)
{
    const auto& packed = drawable.gpu.packed;
    slot.count = static_cast<std::uint32_t>(moments.size());
    slot.poser.begin(drawable.scene, packed, skeleton);
    for (const auto& moment : moments)
        slot.poser.add(moment);
    constexpr VkBufferUsageFlags storage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    constexpr VkFormat texels = VK_FORMAT_R32G32B32A32_SFLOAT;
    ensure(slot.palettes, slot.poser.palettes().size_bytes(), {Domain::upload, storage, texels}, "palettes");
    ensure(slot.values, slot.poser.values().size_bytes(), {Domain::upload, storage}, "morph weights");
    copy_to(slot.palettes, 0, slot.poser.palettes());
    copy_to(slot.values, 0, slot.poser.values());
    ensure(skinned_, VkDeviceSize{slot.count} * drawable.gpu.vertex_count() * vertex_bytes,
           {Domain::device, storage | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
            texels},
           "skinned vertices");
    ensure(boxes_, slot.count * sizeof(EncodedBounds),
           {Domain::device, storage | VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT},
           "bounds");
    ensure(slot.readback,
           align(slot.count * sizeof(EncodedBounds), box_alignment) +
               slot.count * align(bytes_per_frame, box_alignment),
           {Domain::readback, storage | VK_BUFFER_USAGE_TRANSFER_DST_BIT}, "readback");
    return slot.commands.begin();
}

// Skinned vertices and their boxes; the boxes are on their way to the host at the end of the commands.
void BatchRunner::record_skinning(Slot& slot, VkCommandBuffer commands, const GpuScene& scene)
{
    stage_barrier(*device_, commands, everything, everything); // the batch before used the same buffers
    bounds_.clear(commands, boxes_.get(), slot.count);
    skinning_.record(commands, scene,
                     {.palettes = &slot.palettes,
                      .values = &slot.values,
                      .skinned = &skinned_,
                      .frame_count = slot.count});
    stage_barrier(*device_, commands, compute, compute);
    stage_barrier(*device_, commands, transfer, compute);
    stage_barrier(*device_, commands, compute, raster_read);
    bounds_.record(commands, scene, skinned_, boxes_.get(), slot.count);
    stage_barrier(*device_, commands, compute, transfer);
    stage_barrier(*device_, commands, compute, raster_read);
    const VkBufferCopy region{0, 0, slot.count * sizeof(EncodedBounds)};
    device_->vk.vkCmdCopyBuffer(commands, boxes_.get(), slot.readback.get(), 1, &region);
}

void BatchRunner::submit(Slot& slot, VkCommandBuffer commands)
{
    stage_barrier(*device_, commands, compute, host_read);
    stage_barrier(*device_, commands, transfer, host_read);
    slot.submitted = std::chrono::steady_clock::now();
    slot.done = timeline_->submit(slot.commands.end());
}

void BatchRunner::write_frame_data(Slot& slot, const View& view, const scene::Aabb& framing)
{
    auto params = frame_params(view, framing);
    const auto scale = static_cast<float>(targets_.scale());
    params.viewport = {static_cast<float>(view.width) * scale, static_cast<float>(view.height) * scale, 0.0f,
                       0.0f};
    params.viewport.z = 1.0f / params.viewport.x;
    params.viewport.w = 1.0f / params.viewport.y;
    params.ray.w = scale;
    slot.params.assign(slot.count, params);
    const auto segments_at = slot.count * params_stride();
    ensure(slot.frames, segments_at + std::max<VkDeviceSize>(slot.poser.segments().size_bytes(), 32),
           {Domain::upload, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT},
           "frames");
    for (std::uint32_t i = 0; i < slot.count; ++i)
        copy_to<shared::FrameParams>(slot.frames, i * params_stride(), {&slot.params[i], 1});
    copy_to(slot.frames, segments_at, slot.poser.segments());
}

void BatchRunner::record_shadows(Slot& slot, VkCommandBuffer commands, const GpuScene& scene)
{
    for (std::uint32_t i = 0; i < slot.count; ++i)
        shadow_.clear(commands, targets_.layer(i));
    stage_barrier(*device_, commands, transfer, compute);
    for (std::uint32_t i = 0; i < slot.count; ++i)
        shadow_.record_heights(commands, scene,
                               {.layer = targets_.layer(i),
                                .skinned = skinned_,
                                .first_vertex = i * scene.vertex_count(),
                                .uniforms = slot.frames.get(),
                                .uniform_offset = i * params_stride()});
    stage_barrier(*device_, commands, compute, compute);
    for (std::uint32_t i = 0; i < slot.count; ++i)
        shadow_.record_blur(commands, targets_.layer(i), false);
    stage_barrier(*device_, commands, compute, compute);
    for (std::uint32_t i = 0; i < slot.count; ++i)
        shadow_.record_blur(commands, targets_.layer(i), true);
    stage_barrier(*device_, commands, compute, compute);
}

void BatchRunner::record_frames(Slot& slot, VkCommandBuffer commands, const GpuScene& scene, const View& view)
{
    const auto ends = slot.poser.segment_ends();
    for (std::uint32_t i = 0; i < slot.count; ++i) {
        const auto first = i == 0 ? 0 : ends[i - 1];
        raster_.record(commands, {.scene = &scene,
                                  .view = &view,
                                  .params = &slot.params[i],
                                  .palette = slot.poser.palette(i),
                                  .layer = &targets_.layer(i),
                                  .skinned = &skinned_,
                                  .frame = i,
                                  .uniforms = slot.frames.get(),
                                  .uniform_offset = i * params_stride(),
                                  .segments = slot.frames.get(),
                                  .segment_offset = slot.count * params_stride(),
                                  .first_segment = first,
                                  .segment_count = ends[i] - first,
                                  .bounds = boxes_.get()});
    }
    stage_barrier(*device_, commands, attachments, compute);
    for (std::uint32_t i = 0; i < slot.count; ++i)
        resolve_.record(commands, targets_.layer(i), slot.frames.get(), i * params_stride(),
                        {.pixels = slot.readback.get(),
                         .offset = pixels_at(slot, view, i),
                         .width = view.width,
                         .height = view.height,
                         .studio = slot.params[i].backdrop.x > 0.5f || slot.params[i].ground.w > 0.5f});
}

void BatchRunner::draw_batch(Slot& slot, Drawable drawable, const View& view, const scene::Aabb& framing,
                             std::span<const Moment> moments)
{
    auto* commands = begin(slot, drawable, moments, view.overlays.skeleton, pixel_bytes(view));
    write_frame_data(slot, view, framing);
    targets_.ensure(commands, *timeline_, view.width, view.height, slot.count);
    record_skinning(slot, commands, drawable.gpu);
    if (slot.params.front().ground.w > 0.5f) record_shadows(slot, commands, drawable.gpu);
    record_frames(slot, commands, drawable.gpu, view);
    submit(slot, commands);
}

void BatchRunner::collect_pixels(Slot& slot, const View& view, std::span<Frame> frames)
{
    timeline_->wait(slot.done);
    const auto* boxes = reinterpret_cast<const EncodedBounds*>(slot.readback.mapped());
    for (std::uint32_t i = 0; i < slot.count; ++i) {
        auto& frame = frames[slot.first + i];
        const auto* pixels =
            reinterpret_cast<const std::uint8_t*>(slot.readback.mapped()) + pixels_at(slot, view, i);
        frame.width = view.width;
        frame.height = view.height;
        frame.pixels.assign(pixels, pixels + pixel_bytes(view));
        frame.bounds = decode(boxes[i]);
    }
    const auto elapsed = std::chrono::steady_clock::now() - slot.submitted;
    for (auto& frame : frames.subspan(slot.first, slot.count))
        frame.render_us = static_cast<std::uint32_t>(
            std::chrono::duration_cast<std::chrono::microseconds>(elapsed).count());
}

void BatchRunner::draw(Drawable drawable, const View& view, const scene::Aabb& framing,
                       std::span<const Moment> moments, std::span<Frame> frames)
{
    const VkDeviceSize samples = VkDeviceSize{view.width} * view.height * 4;
    const auto batch = frames_per_batch(drawable.gpu, samples * 8 + pixel_bytes(view), largest_batch);
    Slot* previous = nullptr;
    for (std::size_t first = 0; first < moments.size(); first += batch) {
        auto& slot = next_slot();
        slot.first = static_cast<std::uint32_t>(first);
        draw_batch(slot, drawable, view, framing,
                   moments.subspan(first, std::min<std::size_t>(batch, moments.size() - first)));
        if (previous != nullptr) collect_pixels(*previous, view, frames);
        previous = &slot;
    }
    if (previous != nullptr) collect_pixels(*previous, view, frames);
}

void BatchRunner::measure(Drawable drawable, std::span<const Moment> moments, std::span<scene::Aabb> boxes)
{
    auto most = largest_measured_batch;
    if (device_->traits.software)
        most = static_cast<std::uint32_t>(
            std::clamp<VkDeviceSize>(measured_bytes_on_cpu / (drawable.gpu.vertex_count() * vertex_bytes),
                                     least_measured_on_cpu, most));
    const auto batch = frames_per_batch(drawable.gpu, 0, most);
    const auto collect = [&](Slot& slot) {
        timeline_->wait(slot.done);
        const auto* encoded = reinterpret_cast<const EncodedBounds*>(slot.readback.mapped());
        for (std::uint32_t i = 0; i < slot.count; ++i)
            boxes[slot.first + i] = decode(encoded[i]);
    };
    Slot* previous = nullptr;
    for (std::size_t first = 0; first < moments.size(); first += batch) {
        auto& slot = next_slot();
        slot.first = static_cast<std::uint32_t>(first);
        auto* commands =
            begin(slot, drawable,
                  moments.subspan(first, std::min<std::size_t>(batch, moments.size() - first)), false, 0);
        record_skinning(slot, commands, drawable.gpu);
        submit(slot, commands);
        if (previous != nullptr) collect(*previous);
        previous = &slot;
    }
    if (previous != nullptr) collect(*previous);
}

std::vector<scene::SkinnedMesh> BatchRunner::skin(Drawable drawable, Moment moment)
{
    const auto& gpu = drawable.gpu;
    const VkDeviceSize bytes = gpu.vertex_count() * vertex_bytes;
    auto& slot = next_slot();
    auto* commands = begin(slot, drawable, std::span(&moment, 1), false, bytes);
    record_skinning(slot, commands, gpu);
    const VkBufferCopy region{0, box_alignment, bytes};
    stage_barrier(*device_, commands, compute, transfer);
    device_->vk.vkCmdCopyBuffer(commands, skinned_.get(), slot.readback.get(), 1, &region);
    submit(slot, commands);
    timeline_->wait(slot.done);
    const auto* vertices =
        reinterpret_cast<const shared::BindVertex*>(slot.readback.mapped() + box_alignment);
    std::vector<scene::SkinnedMesh> meshes(gpu.packed.instances.size());
    for (std::size_t i = 0; i < meshes.size(); ++i) {
        const auto count = drawable.scene.meshes[gpu.packed.instances[i].mesh].positions.size();
        for (std::size_t v = 0; v < count; ++v) {
            const auto& vertex = vertices[gpu.packed.first_vertex[i] + v];
            meshes[i].positions.push_back(vertex.position);
            meshes[i].normals.push_back(decode_octahedral(vertex.normal));
        }
    }
    return meshes;
}

} // namespace vitrine::render
