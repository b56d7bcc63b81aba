#pragma once
// A scene on the device: its buffers and textures, and cached results (bounds of clips).

#include <map>
#include <optional>
#include <string>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/preview/outliers.hpp"
#include "vk_renderer/base/frame_request.hpp"
#include "vk_renderer/mesh/lod.hpp"
#include "vk_renderer/scene/joint_corners.hpp"
#include "vk_renderer/scene/pack_scene.hpp"
#include "vk_renderer/scene/shadow_casters.hpp"
#include "vk_renderer/textures/textures.hpp"
#include "vk_renderer/textures/uploader.hpp"

namespace vitrine::render {

// What is computed of a scene before it is uploaded.
struct PreparedScene {
    explicit PreparedScene(const scene::Scene& scene); // throws as pack()

    PackedScene packed;
    Casters casters;
};

// A level of detail on the device.
struct SceneLod {
    Buffer indices;            // of LodIndices; empty: none
    std::vector<Range> ranges; // by PackedScene::draws
};

// Identifies a motion of the scene: a clip (none: the static pose), or layers by AnimationLayers::key.
struct MotionKey {
    std::uint32_t clip = scene::none;
    std::string layers{};

    auto operator<=>(const MotionKey&) const = default;
};

inline MotionKey motion_key(const ClipTime& motion)
{
    return motion.layers ? MotionKey{scene::none, motion.layers->key} : MotionKey{motion.clip, {}};
}

// The paths of joints over a motion.
struct JointTrails {
    MotionKey motion;
    std::vector<std::string> joints; // as requested
    std::vector<std::uint32_t> nodes;
    std::vector<shared::LineSegment> lines;
};

struct GpuScene {
    // `prepared`: made from the scene. Throws TooLargeForDevice if an array exceeds the device's binding
    // limit.
    GpuScene(const Device& device, const scene::Scene& scene, PreparedScene prepared, Uploader& uploader);

    // Sets `to`, a level of detail of the scene, unless it is set.
    void upload_lod(const Device& device, SceneLod& to, const LodIndices& coarse, Uploader& uploader) const;

    std::uint32_t vertex_count() const { return vertices_total; }
    VkDeviceSize size_bytes() const;

    PackedScene packed; // the uploaded arrays are empty
    Casters casters;    // made from `packed`
    std::uint32_t vertices_total = 0;
    bool has_unused = false;
    // Device copies of the arrays of the same names in PackedScene and Casters (shadow_casters.hpp): element
    // types, counts and order are documented there.
    Buffer vertices, tangents, attributes, more_uvs, indices, caster_indices, translucent_casters,
        opacity_masks, used;
    SceneLod lod; // of View::lod
    // For the instances of crowds, by triangles; without indices: all triangles are drawn.
    std::map<std::uint32_t, SceneLod> crowd_lods;
    Buffer skin1_joints, skin4_joints, skin4_weights;
    Buffer skinN_vertices, skinN_instances, blocks, influence_positions, deltas, tangent_deltas,
        frame_vertices;
    Buffer materials;
    // Attributes with the weight colors of the joint requested last; created by the pass that draws them.
    Buffer weight_colors;
    std::string weight_colors_joint;
    Textures textures;
    double seconds_per_cost = 0.0; // smoothed, of recent images, in units of cost_of(); 0: unknown
    std::optional<std::optional<scene::Outliers>> outliers; // empty: not computed yet
    // Exact bounds without the outliers. Requests may name any number of layers, so few of those are kept.
    std::map<MotionKey, scene::Aabb> clip_bounds;
    std::map<MotionKey, scene::Aabb> joint_bounds;         // of the skeleton's joints, keyed like clip_bounds
    std::optional<std::vector<OrientedBox>> joint_corners; // empty: not computed yet
    std::vector<JointTrails> trails;                       // a few, the latest last
};

// Estimates a scene's device memory.
VkDeviceSize upload_bytes(const Device& device, const scene::Scene& scene, const PackedScene& packed);

} // namespace vitrine::render
