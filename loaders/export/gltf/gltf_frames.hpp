#pragma once
// Vertex frames (MD2, MD3) as morph targets: frame 0 is the mesh itself, every other frame a target of its
// differences, of which linear interpolation between two frames is the blend.

#include <cstdint>
#include <utility>
#include <vector>

#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

struct FrameTargets {
    std::vector<std::uint32_t> target; // by frame; none: the mesh itself
    std::vector<std::uint32_t> frame;  // by target
};

// Frames that repeat an earlier one share its target.
FrameTargets find_frame_targets(const scene::Mesh& mesh);

// What a blend of two frames shows, by target in ascending order; a frame that is the mesh itself has none.
std::vector<std::pair<std::uint32_t, float>> frame_weights(const FrameTargets& targets,
                                                           const scene::FrameBlend& blend);

} // namespace vitrine::exporting
