#pragma once
// Overlay geometry that is made on the host: the skeleton of a pose. Pure.

#include <vector>

#include "loaders/scene/motion/pose.hpp"
#include "vk_renderer/labels/joint_labels.hpp"
#include "vk_renderer/shaders/shared.h"

namespace vitrine::render {

// Appends a dot per joint and a line to its parent joint, scene space. `parents`: scene::file_parents().
void append_skeleton(const std::vector<std::uint32_t>& parents, const std::vector<bool>& joints,
                     const scene::Pose& pose, std::vector<shared::Segment>& out);

// Appends where each of those joints is, by node.
void append_joints(const std::vector<bool>& joints, const scene::Pose& pose, std::vector<JointPosition>& out);

} // namespace vitrine::render
