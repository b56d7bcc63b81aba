#pragma once
// A scene on the device: what it is drawn from, and what was found out about it (bounds of clips).

#include <map>
#include <optional>
#include <string>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/preview/outliers.hpp"
#include "vk_renderer/mesh/lod.hpp"
#include "vk_renderer/scene/pack_scene.hpp"
#include "vk_renderer/scene/shadow_casters.hpp"
#include "vk_renderer/textures/textures.hpp"

namespace vitrine::render {

struct GpuScene {
    // `packed`: of the scene. Throws TooLargeForDevice when an array is larger than the device binds.
    GpuScene(const Device& device, const scene::Scene& scene, PackedScene packed, Uploader& uploader);

    // The scene's own; the first stays.
    void add_lod(const Device& device, const LodScene& lod, Uploader& uploader);

    std::uint32_t vertex_count() const { return vertices_total; }
    VkDeviceSize size_bytes() const;

    PackedScene packed; // the arrays that went to the device are empty
    Casters casters;    // as `packed`
    std::uint32_t vertices_total = 0;
    bool has_unused = false;
    Buffer vertices, tangents, attributes, indices, caster_indices, translucent_casters, opacity_masks, used;
    Buffer lod_indices; // empty: there are none
    Buffer skin1_joints, skin4_joints, skin4_weights;
    Buffer skinN_vertices, skinN_instances, blocks, influence_positions, deltas, tangent_deltas,
        frame_vertices;
    Buffer materials;
    // Attributes whose colors show weights, of the joint last asked for; made by whoever draws them.
    Buffer weight_colors;
    std::string weighed_joint;
    Textures textures;
    double seconds_per_cost = 0.0; // of the device (work_of), as it was drawn lately; 0: not yet
    std::optional<std::optional<scene::Outliers>> outliers; // nothing: not looked for yet
    // Exact, but without the outliers, by clip; none: the static pose.
    std::map<std::uint32_t, scene::Aabb> clip_bounds;
    std::map<std::uint32_t, scene::Aabb> joint_bounds; // of the skeleton's joints, as clip_bounds
};

// About what a scene will take on the device.
VkDeviceSize upload_bytes(const Device& device, const scene::Scene& scene, const PackedScene& packed);

} // namespace vitrine::render
