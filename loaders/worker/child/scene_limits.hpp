#pragma once
// The last check of a loaded scene: whatever its format compared on the way, no limit is passed in the end.
// One rule for all formats.
// Child only.

#include "loaders/base/error.hpp"
#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::worker {

// Names end where scene::max_name_bytes says, with a warning (name_cut), and other texts likewise.
void trim_names(scene::Scene& scene);

// What a clip may cost: one longer than Limits::clip_seconds ends there, one with keys beyond
// scene::farthest is left out. Each is a warning.
void trim_clips(scene::Scene& scene, const Limits& limits);

// Error: limit_exceeded, with what the scene has, the limit's name and its number.
LoadResult<void> check_scene_limits(const scene::Scene& scene, const Limits& limits);

} // namespace vitrine::worker
