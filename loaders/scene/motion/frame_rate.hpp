#pragma once
// For formats that have seconds and no frames.

#include <span>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// The rate of the frames that a clip was made in: where all keys of all channels stand on multiples of the
// smallest distance between two of them, as a program bakes them, one frame each such distance; else, and
// below 5 or above 240 a second, 30.
double estimate_frame_rate(std::span<const Channel> channels);

// Frames from 0 to the clip's end, at its rate.
std::uint32_t count_frames(const Clip& clip);

// Whether the clip runs from its last frame into its first one: `frames` at its rate fill the duration, where
// other clips end with their last frame.
bool is_closed_loop(const Clip& clip);

// The time of the key that a frame at `time` (seconds from the clip's start) means, where one is within a
// microsecond: files say the times of frames in six decimals, and a step begins at its key. Else `time`, and
// always where `scene` is FBX: that tells times exactly, and a value that begins behind its key has one
// there.
double snap_to_key(const Scene& scene, const Clip& clip, double time);

} // namespace vitrine::scene
