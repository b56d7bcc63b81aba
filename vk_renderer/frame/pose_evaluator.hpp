#pragma once
// Evaluates clip times into the device's inputs: joint palettes, morph weights, overlay lines, all relative
// to PackedScene::origin. Reused without allocating.

#include <span>
#include <vector>

#include "loaders/scene/motion/sample_poses.hpp"
#include "vk_renderer/base/options.hpp"
#include "vk_renderer/base/scene_instances.hpp"
#include "vk_renderer/labels/joint_labels.hpp"
#include "vk_renderer/scene/pack_scene.hpp"
#include "vk_renderer/shaders/shared.h"

namespace vitrine::render {

class PoseEvaluator {
public:
    // Starts a batch of clip times of one scene. `placements`: of the poses that are added, in their order;
    // empty: all as they are. Must stay valid while poses are added.
    void begin(const scene::Scene& scene, const PackedScene& packed, bool skeleton,
               std::span<const InstancePlacement> placements = {});
    // `threads`: that may evaluate many poses of one clip, including the caller's.
    void add(std::span<const ClipTime> clip_times, unsigned threads);

    std::span<const scene::PaletteEntry> palettes() const { return palettes_; }
    std::span<const scene::PaletteEntry> palette(std::uint32_t pose_index, std::uint32_t count = 1) const;
    // Five vectors per palette entry: rotation x y z w, dual part, three rows of the non-rigid part
    // (scene::split). Set for dual quaternion instances only, zeros elsewhere; empty if the scene has none.
    std::span<const glm::vec4> dqs_palettes() const { return dqs_palettes_; }
    // Whether a joint of these palettes is not rigid.
    bool non_rigid() const { return non_rigid_; }
    std::span<const float> values() const { return values_; }
    std::span<const float> values(std::uint32_t pose_index) const;
    std::span<const shared::LineSegment> segments() const { return segments_; }
    // End offset of each pose's segments.
    std::span<const std::uint32_t> segment_ends() const { return segment_ends_; }
    // Positions of the skeleton's joints in a pose; empty without the skeleton.
    std::span<const JointPosition> joints(std::uint32_t pose_index) const;

private:
    void add_clip(std::uint32_t clip, std::span<const double> times, unsigned threads);
    void add_layers(const ClipTime& clip_time);
    void append(const scene::Pose& pose);
    void add_dqs(std::span<const scene::PaletteEntry> palette);

    const scene::Scene* scene_ = nullptr;
    const PackedScene* packed_ = nullptr;
    bool skeleton_ = false;
    std::span<const InstancePlacement> placements_;
    std::vector<bool> joints_;
    std::vector<std::uint32_t> parents_; // by node of the file
    scene::ClipSampler sampler_;
    scene::LayerSampler layer_sampler_;
    std::vector<double> times_;      // of consecutive poses of one clip
    std::vector<scene::Pose> poses_; // scratch
    std::vector<scene::PaletteEntry> palettes_;
    std::vector<glm::vec4> dqs_palettes_;
    bool non_rigid_ = false;
    std::vector<float> values_;
    std::vector<shared::LineSegment> segments_;
    std::vector<JointPosition> joint_positions_; // the same number for each frame
    std::vector<std::uint32_t> segment_ends_;
};

} // namespace vitrine::render
