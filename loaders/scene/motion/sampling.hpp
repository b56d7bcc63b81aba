#pragma once
// One channel at one time.

#include <cstdint>
#include <span>

#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Floats per key group of a channel that animates `node`; 0 where the path does not fit the node.
std::size_t components(const Scene& scene, Path path, const Node& node);

// The channel's value at `time`, out.size() components. Rotations come as x y z w, of unit length as
// nearly as the keys are (validate() lets 1e-3 pass), for evaluators build matrices from the numbers of a
// file as they stand. Precondition: at least one key; values as long as the channel's times demand.
void sample_channel(const Channel& channel, double time, std::span<float> out,
                    ExtrapolationPolicy policy = ExtrapolationPolicy::extrapolated);

// The same with the end values outside the keys.
void sample_clamped(const Channel& channel, double time, std::span<float> out);

// What a vertex_frame channel shows at `time` of a mesh with `count` frames: cubic keys as linear ones, a
// slope or an offset outside the keys as their repetition or end value. At a key's own time the frame itself.
FrameBlend sample_frames(const Channel& channel, double time, std::uint32_t count,
                         ExtrapolationPolicy policy = ExtrapolationPolicy::extrapolated);

} // namespace vitrine::scene
