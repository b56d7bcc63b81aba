#pragma once
// The inputs of one frame, and what they decide about each part of the scene: blending, culling, distance.
// Pure functions.

#include "vk_renderer/base/scene_instances.hpp"
#include "vk_renderer/passes/render_targets.hpp"
#include "vk_renderer/scene/gpu_scene.hpp"

namespace vitrine::render {

struct RasterFrame {
    const GpuScene* scene = nullptr;
    const View* view = nullptr;
    const shared::ImageParams* params = nullptr;
    std::span<const scene::PaletteEntry> palette; // of the drawn instance, on the host
    // Empty: one, as it is. Otherwise the palettes of all follow each other from `palette` on, and so do
    // their poses from `pose_index` on; the ghosts are the last `ghosts.size()` of `instance_count`.
    std::uint32_t instance_count = 1;
    std::span<const SceneInstance> ghosts{};
    const SceneLod* lod = nullptr; // null: all triangles
    float model_radius = 0.0f;     // of the model's bounding sphere over its motion; of one instance
    const RenderTargets* target = nullptr;
    glm::vec3 size{}; // of the model's framed box
    const Buffer* skinned = nullptr;
    const Buffer* tangents = nullptr;   // null: no normal map needs them
    std::uint32_t pose_index = 0;       // of the drawn instance, in the batch
    VkBuffer uniforms = VK_NULL_HANDLE; // ImageParams at uniform_offset
    VkDeviceSize uniform_offset = 0;
    VkBuffer segments = VK_NULL_HANDLE; // overlay lines at segment_offset
    VkDeviceSize segment_offset = 0;    // of the batch
    std::uint32_t first_segment = 0;
    std::uint32_t segment_count = 0;
    VkDeviceSize line_offset = 0; // of the overlay lines of single images, in `segments`
    std::uint32_t first_line = 0;
    std::uint32_t line_count = 0;
    VkBuffer bounds = VK_NULL_HANDLE; // EncodedBounds by pose
    VkBuffer sorted_indices =
        VK_NULL_HANDLE; // indices of PackedScene::blended at sorted_indices_offset, farthest first
    VkDeviceSize sorted_indices_offset = 0;
    // By PackedScene::blended_runs: how far the pose moves their centers; empty: nothing is sorted.
    std::span<const glm::vec3> run_shifts;
};

// Instances with the scene's materials: they come before the ghosts.
inline std::uint32_t solid_count(const RasterFrame& frame)
{
    return frame.instance_count - static_cast<std::uint32_t>(frame.ghosts.size());
}
// Makes instance `i` of `all`, which starts with the first one, the drawn one of `frame`.
void select_instance(RasterFrame& frame, const RasterFrame& all, std::uint32_t i);

// Whether blended triangles are sorted: only for a single model.
inline bool sorts_blended(const RasterFrame& frame)
{
    return frame.lod == nullptr && solid_count(frame) == 1;
}

// The drawn indices of a part, in those of the level of detail or of the scene.
Range range_of(const RasterFrame& frame, const DrawItem& item);

// Whether back faces are always culled.
bool is_single_sided(const DrawItem& item);

VkCullModeFlags cull_mode(const RasterFrame& frame, const DrawItem& item);

// Whether front faces that are drawn first save more than processing the vertices twice costs: most back
// faces are behind them and are then rejected by the depth test before they are shaded. For software devices,
// which shade in blocks and reject as early as that.
bool hides_back_faces(const RasterFrame& frame, const DrawItem& item);

// Debug views are opaque.
bool is_blended(const RasterFrame& frame, const DrawItem& item);

// Whether lines and points in the studio keep their color: if they have colors of their own or the view sets
// a background. Others are darkened, because white ones would be invisible against the studio backdrop.
bool keeps_own_color(const RasterFrame& frame, const DrawItem& item);
// Transparent surfaces cannot tint a background that is not opaque.
bool has_opaque_background(const RasterFrame& frame);

// Whether any part of the scene transmits light.
bool has_transmission(const RasterFrame& frame);

// Whether a transmitting surface writes depth: its alpha mode is not blend and its triangles are drawn in
// file order, so that its far side must not be drawn over the near side.
bool writes_depth(const RasterFrame& frame, const DrawItem& item);

// The scale of lengths by a palette entry.
float length_scale(const scene::PaletteEntry& entry);

// Distance along the view direction.
float view_depth(const RasterFrame& frame, const DrawItem& item);
// That of all draws of the drawn instance, on average.
float view_depth(const RasterFrame& frame);

} // namespace vitrine::render
