#pragma once
// COLLADA 1.4 and 1.5 (.dae) and its zips (.zae). Pure, any thread; the Source is used during the call only.

#include "loaders/base/error.hpp"
#include "loaders/io/extrapolation_options.hpp"
#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine {

// Shows the visual scene that <scene> names, else the first; without any, each geometry at the origin. Meshes
// are built once for each way in which their materials are bound; animations become clips, one for each
// <animation_clip> and one for what no clip plays.
//
// Errors: malformed, truncated (XML), limit_exceeded, missing_file (a zip without a document), and what a zip
// may be refused for.
LoadResult<scene::Scene> load_dae(Source& source, const Limits& limits);
// The same with a wish. Channels of curves that go on differently have keys as far as their clip reaches.
LoadResult<scene::Scene> load_dae(Source& source, const Limits& limits,
                                  const ExtrapolationOptions& extrapolation);

// The first bytes tell COLLADA.
bool is_dae(Bytes bytes);

// Whether the file has animations and no mesh; looked for by name, not parsed, and in doubt false.
bool is_animation_only_dae(Bytes file);

} // namespace vitrine
