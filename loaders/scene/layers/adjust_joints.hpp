#pragma once
// Applies JointAdjustments to the local transforms of a pose. Private to loaders/scene/layers.

#include <span>

#include "loaders/scene/layers/animation_layers.hpp"

namespace vitrine::scene {

// Changes pose.local and pose.matrices; pose.model is not read. Preconditions: those of
// LayerSampler::sample().
void adjust_joints(const Scene& scene, std::span<const JointAdjustment> adjustments, Pose& pose);

} // namespace vitrine::scene
