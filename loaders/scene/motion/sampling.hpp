#pragma once
// Evaluates one channel at one time.

#include <cstdint>
#include <span>

#include "loaders/scene/motion/key_position.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Floats per value of a channel that animates `node`; 0 if the path does not fit the node.
std::size_t components(const Scene& scene, Path path, const Node& node);

// The weights of a node's mesh in the static pose.
std::span<const float> default_weights(const Scene& scene, const Node& node);

// Writes the channel's value at `time`, out.size() components. Rotations are x y z w with the length of the
// keys (validate() accepts 1e-3 deviation from 1), because evaluators build matrices from the stored numbers.
// Precondition: at least one key; values match the number of times.
void sample_channel(const Channel& channel, double time, std::span<float> out,
                    ExtrapolationPolicy policy = ExtrapolationPolicy::extrapolated);

// As above, with the end values outside the keys.
void sample_clamped(const Channel& channel, double time, std::span<float> out);

// As above, at that position among the keys.
void sample_at(const Channel& channel, const KeyPosition& at, std::span<float> out);

// Writes the member of `local` that a translation, rotation or scale channel animates.
void sample_transform(const Channel& channel, double time, ExtrapolationPolicy policy, Trs& local);

// Samples a vertex_frame channel at `time` for a mesh with `count` frames. Cubic keys are treated as linear;
// outside the keys, a slope is treated as the end value and a repetition with offset as a repetition. At the
// time of a key, returns its frame without blending.
FrameBlend sample_frames(const Channel& channel, double time, std::uint32_t count,
                         ExtrapolationPolicy policy = ExtrapolationPolicy::extrapolated);

} // namespace vitrine::scene
