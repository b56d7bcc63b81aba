#pragma once
// Autodesk FBX, binary and text, versions 5000 to 7700 -> Scene. See README.md for what is read, refused and
// warned of. Pure, any thread; the Source is used during the call only.

#include "loaders/io/extrapolation_options.hpp"
#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine {

// Errors: malformed, truncated, unsupported (the container, a version), limit_exceeded with "byte N" or
// "line N".
LoadResult<scene::Scene> load_fbx(Source& source, const Limits& limits);
// The same with a wish. A channel of several curves with ends of their own has keys where some of them go on,
// and cannot hold each curve afterwards; where their periods differ it has keys for a while only.
LoadResult<scene::Scene> load_fbx(Source& source, const Limits& limits,
                                  const ExtrapolationOptions& extrapolation);

// Whether the file has animation and no geometry; looked for by name, not parsed, and in doubt false.
bool is_animation_only_fbx(Bytes file);

} // namespace vitrine
