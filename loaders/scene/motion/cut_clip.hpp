#pragma once
// A part of a clip as a clip of its own.

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// The seconds `from` .. `to` of the clip (counted from its start), played `speed` times as fast: its time t
// is the clip's from + t * speed. Keys that the part does not need are left out; start_time, name, frame rate
// and count are the caller's. Precondition: from < to, speed > 0.
Clip cut_clip(const Clip& clip, double from, double to, double speed);

} // namespace vitrine::scene
