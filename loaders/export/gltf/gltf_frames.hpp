#pragma once
// Vertex frames (MD2, MD3) as morph targets: frame 0 is the mesh itself, every other frame a target with its
// offsets, so that linear blending of targets equals interpolation between frames.

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

// Equal frames share one target.
FrameTargets find_frame_targets(const scene::Mesh& mesh);

// Returns the weights of a blend of two frames, by target in ascending order; a frame that equals the mesh
// itself has no weight.
std::vector<std::pair<std::uint32_t, float>> frame_weights(const FrameTargets& targets,
                                                           const scene::FrameBlend& blend);

} // namespace vitrine::exporting
