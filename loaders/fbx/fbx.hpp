#pragma once
// Reads Autodesk FBX, binary and text, versions 5000 to 7700, into a Scene. README.md lists what is
// supported, rejected and reported as a warning. Pure function, any thread; the Source is only used during
// the call.

#include "loaders/io/extrapolation_options.hpp"
#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine {

// Errors: malformed, truncated, unsupported (the container or a version), limit_exceeded; the place is "byte
// N" or "line N".
LoadResult<scene::Scene> load_fbx(Source& source, const Limits& limits);
// The same with ExtrapolationOptions. A channel combined from several curves with different ends is sampled
// as keys while some of the curves continue, and cannot hold each curve's value afterwards; curves with
// different periods are sampled for a limited time only.
LoadResult<scene::Scene> load_fbx(Source& source, const Limits& limits,
                                  const ExtrapolationOptions& extrapolation);

// Returns whether the file has animation and no geometry. Searches for names without parsing; false in doubt.
bool is_animation_only_fbx(Bytes file);

} // namespace vitrine
