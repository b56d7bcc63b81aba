#pragma once
// The final check of a loaded scene against the limits, common to all formats and independent of their own
// checks. Used only in the child.

#include "loaders/base/error.hpp"
#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::worker {

// Truncates names to scene::max_name_bytes, with a warning (name_cut), and other texts likewise.
void trim_names(scene::Scene& scene);

// Limits clips: one longer than Limits::clip_seconds is cut there, one with keys beyond scene::max_coordinate
// is removed. Each gives a warning.
void trim_clips(scene::Scene& scene, const Limits& limits);

// Error: limit_exceeded, with the measured quantity, the limit's name and its value.
LoadResult<void> check_scene_limits(const scene::Scene& scene, const Limits& limits);

} // namespace vitrine::worker
