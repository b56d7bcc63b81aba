#pragma once
// Vertex frames (MD2, MD3) as morph targets: frame 0 is the mesh itself, every other frame a target of its
// differences, of which linear interpolation between two frames is the blend.

#include <cstdint>
#include <span>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

struct FrameTargets {
    std::vector<std::uint32_t> target; // by frame; none: the mesh itself
    std::vector<std::uint32_t> frame;  // by target
};

// Frames that repeat an earlier one share its target.
FrameTargets find_frame_targets(const scene::Mesh& mesh);

// Adds what a fractional frame shows to `weights`, one a target.
void add_frame_weights(const FrameTargets& targets, float at, std::span<float> weights);

} // namespace vitrine::exporting
