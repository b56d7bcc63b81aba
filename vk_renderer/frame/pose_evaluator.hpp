#pragma once
// Moments to what the device needs of them: palettes, morph weights, overlay lines, all measured from
// PackedScene::origin. Used again and again without allocating.

#include <vector>

#include "vk_renderer/base/types.hpp"
#include "vk_renderer/frame/overlay.hpp"
#include "vk_renderer/labels/joint_labels.hpp"
#include "vk_renderer/scene/pack_scene.hpp"

namespace vitrine::render {

class PoseEvaluator {
public:
    // Starts a batch of moments of one scene.
    void begin(const scene::Scene& scene, const PackedScene& packed, bool skeleton);
    void add(const Moment& moment);

    std::span<const scene::PaletteEntry> palettes() const { return palettes_; }
    std::span<const scene::PaletteEntry> palette(std::uint32_t frame) const;
    // Five for each palette entry: rotation x y z w, dual part, three rows of what is not rigid
    // (scene::split). Of dual instances alone, zeros elsewhere; empty where the scene has none.
    std::span<const glm::vec4> dqs_palettes() const { return dqs_palettes_; }
    // Some joint of them is not rigid.
    bool non_rigid() const { return non_rigid_; }
    std::span<const float> values() const { return values_; }
    std::span<const float> values(std::uint32_t frame) const;
    std::span<const shared::Segment> segments() const { return segments_; }
    // Where each frame's segments end.
    std::span<const std::uint32_t> segment_ends() const { return segment_ends_; }
    // Where the skeleton's joints are in a frame; empty without the skeleton.
    std::span<const JointPosition> joints(std::uint32_t frame) const;

private:
    void add_dqs(std::span<const scene::PaletteEntry> palette);

    const scene::Scene* scene_ = nullptr;
    const PackedScene* packed_ = nullptr;
    bool skeleton_ = false;
    std::vector<bool> joints_;
    std::vector<std::uint32_t> parents_; // of the file
    scene::Pose pose_;
    std::vector<scene::PaletteEntry> palettes_;
    std::vector<glm::vec4> dqs_palettes_;
    bool non_rigid_ = false;
    std::vector<float> values_;
    std::vector<shared::Segment> segments_;
    std::vector<JointPosition> joint_positions_; // as many of each frame
    std::vector<std::uint32_t> segment_ends_;
};

} // namespace vitrine::render
