#pragma once
// Extracts a part of a clip as a new clip.

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Returns the part `from` .. `to` of the clip (seconds from its start), played at `speed` times its speed:
// time t of the result is time from + t * speed of the clip. Keys outside the part are removed where
// possible. The caller sets start_time, name, frame rate and frame count. Precondition: from < to, speed > 0.
Clip cut_clip(const Clip& clip, double from, double to, double speed);

} // namespace vitrine::scene
