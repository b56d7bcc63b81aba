#pragma once
// Frame rates for formats that store seconds but no frames.

#include <span>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// For clips that have no frame rate.
inline constexpr double default_frame_rate = 30.0;

// Frames per second by which the clip's frames are numbered.
inline double frame_rate_or_default(const Clip& clip)
{
    return clip.frame_rate > 0.0 ? clip.frame_rate : default_frame_rate;
}

// Estimates the frame rate at which a clip was authored. If all keys of all channels are at multiples of the
// smallest interval between two keys (baked animation), this interval is one frame. Otherwise, and if the
// rate is below 5 or above 240 frames per second, the result is the
// default.
double estimate_frame_rate(std::span<const Channel> channels);

// Number of frames from 0 to the clip's end, at its frame rate.
std::uint32_t count_frames(const Clip& clip);

// Whether the clip runs from its last frame into its first one: `frames` at its frame rate fill the duration,
// whereas other clips end with their last frame.
bool is_closed_loop(const Clip& clip);

// Returns the time of the key within one microsecond of `time` (seconds from the clip's start) if there is
// one, else `time`: files store frame times with six decimals, and a step begins at its key. Always returns
// `time` if the format has exact times (FBX): a value that begins just after a key has its own key there.
double snap_to_key(const Scene& scene, const Clip& clip, double time);

} // namespace vitrine::scene
