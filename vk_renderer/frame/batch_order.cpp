// Orders the blended triangles of each image by distance, draw by draw.

#include "vk_renderer/frame/batch_renderer.hpp"

namespace vitrine::render {
namespace {

scene::FrameBlend frame_blend(std::span<const float> values)
{
    const auto frame = [&](std::size_t i) { return static_cast<std::uint32_t>(values[i]); };
    return {frame(0), frame(1), values[2], frame(3), frame(4), values[5], values[6]};
}

} // namespace

// Returns the centers of a run's triangles as the pose deforms them; empty: they are where the bind pose has
// them.
std::span<const glm::vec3> BatchRenderer::deformed_centroids(const PosedScene& posed, std::uint32_t pose,
                                                             const BlendedRun& run)
{
    deformed_centers_.clear();
    if (run.mesh == scene::none) return deformed_centers_;
    // The runs of an instance are consecutive.
    if (run.mesh != deformed_.mesh || run.first_weight != deformed_.first_weight ||
        run.frame_value != deformed_.frame_value) {
        const auto& mesh = posed.drawable.scene->meshes[run.mesh];
        const auto values = posed.pose_evaluator.values(pose);
        deformer_.deform(mesh, values.subspan(run.first_weight, mesh.morph_targets.size()),
                         frame_blend(values.subspan(run.frame_value, values_per_frame_blend)));
        deformed_ = run;
    }
    const auto positions = deformer_.positions();
    const auto [first, count] = run.triangles;
    for (const auto& triangle : std::span(posed.drawable.gpu->packed.blended).subspan(first, count)) {
        const auto& [a, b, c] = triangle.corners;
        deformed_centers_.push_back((positions[a] + positions[b] + positions[c]) / 3.0f);
    }
    return deformed_centers_;
}

void BatchRenderer::sort_image(BatchSlot& slot, std::size_t image)
{
    auto& offsets = slot.image_offsets[image];
    const auto& posed = slot.posed[offsets.posed];
    const auto& packed = posed.drawable.gpu->packed;
    const auto first = slot.host_sorted_indices.size();
    slot.host_sorted_indices.resize(first + 3 * packed.blended.size());
    offsets.shifts = {static_cast<std::uint32_t>(slot.run_shifts.size()),
                      static_cast<std::uint32_t>(packed.blended_runs.size())};
    deformed_ = {};
    for (const auto& run : packed.blended_runs) {
        const auto [at, count] = run.triangles;
        const auto centers = deformed_centroids(posed, offsets.pose, run);
        glm::vec3 shift(0.0f);
        for (const auto& center : centers)
            shift += (center - run.center) / static_cast<float>(count);
        slot.run_shifts.push_back(shift);
        sorter_.put(
            std::span(packed.blended).subspan(at, count), centers, posed.pose_evaluator.palette(offsets.pose),
            glm::vec3(slot.params[image].center_ray),
            std::span(slot.host_sorted_indices).subspan(first + std::size_t{3} * at, std::size_t{3} * count));
    }
}

void BatchRenderer::sort_blended(BatchSlot& slot)
{
    auto& indices = slot.host_sorted_indices;
    indices.clear();
    slot.run_shifts.clear();
    for (std::size_t i = 0; i < slot.images.size(); ++i) {
        const auto& view = *slot.images[i].view;
        slot.image_offsets[i].sorted_indices_offset = indices.size() * sizeof(std::uint32_t);
        slot.image_offsets[i].shifts = {};
        const bool blends = !slot.posed[slot.image_offsets[i].posed].drawable.gpu->packed.blended.empty();
        const bool sorts =
            slot.images[i].lod == nullptr && slot.images[i].solid_count() == 1; // see sorts_blended()
        if (blends && sorts && view.overlays.debug_view == DebugView::material) sort_image(slot, i);
    }
    if (indices.empty()) return;
    ensure(slot.sorted_indices, std::span(indices).size_bytes(),
           {MemoryDomain::upload, VK_BUFFER_USAGE_INDEX_BUFFER_BIT}, "ordered triangles");
    copy_to<std::uint32_t>(slot.sorted_indices, 0, indices);
}

} // namespace vitrine::render
