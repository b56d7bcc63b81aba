// Skinning without rendering: exact boxes and skinned vertices.
#include <algorithm>

#include "loaders/scene/flat_meshes.hpp"
#include "vk_renderer/frame/batch_renderer.hpp"
#include "vk_renderer/frame/batch_sizes.hpp"

namespace vitrine::render {
namespace {

constexpr std::uint32_t max_measured_batch = 256;
// On a CPU, vertices that are only measured stay in its cache. With fewer frames per batch the skinning,
// which processes all frames of a vertex together, becomes slower.
constexpr VkDeviceSize measured_bytes_on_cpu = 2u << 20;
constexpr VkDeviceSize min_measured_on_cpu = 8;

} // namespace

std::uint32_t BatchRenderer::max_measured_poses(const GpuScene& scene) const
{
    VkDeviceSize max_poses_per_batch = max_measured_batch;
    if (device_->traits.software)
        max_poses_per_batch = std::clamp(measured_bytes_on_cpu / (scene.vertex_count() * vertex_bytes),
                                         min_measured_on_cpu, max_poses_per_batch);
    return std::min(max_poses(scene), static_cast<std::uint32_t>(max_poses_per_batch));
}

// The slot's commands are not recorded yet.
BatchSlot& BatchRenderer::open_skinning_slot(const Drawable& drawable, std::span<const ClipTime> clip_times,
                                             bool tangents)
{
    auto& slot = next_slot();
    auto& posed = find_or_add_posed_scene(slot, drawable);
    posed.clip_times.assign(clip_times.begin(), clip_times.end());
    posed.tangents = tangents;
    posed.boxes = true;
    upload_poses(slot);
    lay_out_readback(slot, 0);
    return slot;
}

void BatchRenderer::measure(std::span<Measurement> measurements)
{
    BatchSlot* previous = nullptr;
    std::span<scene::Aabb> previous_boxes;
    const auto decode_previous = [&] {
        if (previous == nullptr) return;
        collect(previous->done - 1);
        timeline_->wait(previous->done);
        const auto* encoded = reinterpret_cast<const EncodedBounds*>(previous->readback->read());
        std::transform(encoded, encoded + previous_boxes.size(), previous_boxes.begin(), decode);
        deliver(*previous);
    };
    for (auto& [drawable, clip_times, boxes] : measurements) {
        boxes.resize(clip_times.size());
        const std::size_t batch = max_measured_poses(*drawable.gpu);
        for (std::size_t first = 0; first < clip_times.size(); first += batch) {
            const auto count = std::min(batch, clip_times.size() - first);
            auto& slot = open_skinning_slot(drawable, std::span(clip_times).subspan(first, count), false);
            auto* commands = slot.commands.begin();
            slot.timestamps.record_begin(commands);
            record_skinning(slot, commands);
            submit(slot, commands);
            decode_previous();
            previous = &slot;
            previous_boxes = std::span(boxes).subspan(first, count);
        }
    }
    decode_previous();
}

std::vector<scene::SkinnedMesh> BatchRenderer::skin(const Drawable& drawable, ClipTime clip_time)
{
    const auto& gpu = *drawable.gpu;
    const bool with_tangents = gpu.packed.has_tangents;
    const VkDeviceSize bytes = gpu.vertex_count() * vertex_bytes;
    const VkDeviceSize all_tangent_bytes = with_tangents ? gpu.vertex_count() * tangent_bytes : 0;
    auto& slot = open_skinning_slot(drawable, std::span(&clip_time, 1), with_tangents);
    const auto at = lay_out_readback(slot, bytes + all_tangent_bytes);
    auto* commands = slot.commands.begin();
    slot.timestamps.record_begin(commands);
    record_skinning(slot, commands);
    const VkBufferCopy region{0, at, bytes};
    memory_barrier(*device_, commands, compute, transfer);
    device_->vk.vkCmdCopyBuffer(commands, skinned_.front().vertices.get(), slot.readback->get(), 1, &region);
    if (with_tangents) {
        const VkBufferCopy of_tangents{0, at + bytes, all_tangent_bytes};
        device_->vk.vkCmdCopyBuffer(commands, skinned_.front().tangents.get(), slot.readback->get(), 1,
                                    &of_tangents);
    }
    submit(slot, commands);
    collect(slot.done - 1);
    timeline_->wait(slot.done);
    const auto* result = slot.readback->read() + at;
    const auto* vertices = reinterpret_cast<const shared::BindVertex*>(result);
    const auto* tangents = reinterpret_cast<const std::uint32_t*>(result + bytes);
    std::vector<scene::SkinnedMesh> meshes(gpu.packed.instances.size());
    for (std::size_t i = 0; i < meshes.size(); ++i) {
        const auto& mesh = drawable.scene->meshes[gpu.packed.instances[i].mesh];
        const auto count = mesh.positions.size();
        for (std::size_t v = 0; v < count; ++v) {
            const auto& vertex = vertices[gpu.packed.first_vertex[i] + v];
            meshes[i].positions.push_back(vertex.position);
            if (!scene::is_flat(mesh)) meshes[i].normals.push_back(decode_octahedral(vertex.normal));
            if (with_tangents && !mesh.tangents.empty())
                meshes[i].tangents.push_back(decode_tangent(tangents[gpu.packed.first_vertex[i] + v]));
        }
    }
    deliver(slot);
    return meshes;
}

} // namespace vitrine::render
