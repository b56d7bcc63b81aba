#pragma once
// Reads COLLADA 1.4 and 1.5 (.dae) and its zip archives (.zae). Pure function, any thread; the Source is only
// used during the call.

#include "loaders/base/error.hpp"
#include "loaders/io/extrapolation_options.hpp"
#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine {

// Loads the visual scene that <scene> names, else the first; without any, each geometry at the origin. Meshes
// are built once per material binding; animations become clips, one per <animation_clip> and one for all
// curves outside of clips.
//
// Errors: malformed, truncated (XML), limit_exceeded, missing_file (a zip without a document), and the errors
// of zip archives.
LoadResult<scene::Scene> load_dae(Source& source, const Limits& limits);
// The same with ExtrapolationOptions. Channels of curves with different extrapolations have keys up to the
// ends of their clip.
LoadResult<scene::Scene> load_dae(Source& source, const Limits& limits,
                                  const ExtrapolationOptions& extrapolation);

// Returns whether the first bytes are a COLLADA document.
bool is_dae(Bytes bytes);

// Returns whether the file has animations and no mesh. Searches for names without parsing; false in doubt.
bool is_animation_only_dae(Bytes file);

} // namespace vitrine
