#pragma once
// Evaluates the tracks of one node without the rest of the scene: an export writes curves node by node.

#include <cstdint>
#include <span>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// The scene must outlive it.
class NodeSampler {
public:
    // Precondition: clip < scene.clips.size().
    NodeSampler(const Scene& scene, std::uint32_t clip, std::uint32_t node);

    // Equal to Pose::local of sample_pose().
    Trs local_at(double time) const;
    // Equal to the node's part of Pose::morph_weights; valid until the next call.
    std::span<const float> weights_at(double time);

private:
    double clamped(double time) const;

    const Node& node_;
    double duration_;
    std::vector<const Channel*> transforms_, weights_; // in the order of the clip
    std::vector<float> static_weights_, values_;
};

} // namespace vitrine::scene
