#pragma once
// Reads Quake II's MD2 (magic IDP2, version 8) into a Scene. Pure function, any thread; the Source is only
// used during the call.

#include "loaders/base/error.hpp"
#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine {

// Creates one mesh with all frames of the file, with a vertex for each used pair of position and texture
// coordinate, and for each unused position. Clips follow the frames' names, at 10 frames per second, on one
// time line. In a whole upload or folder (Source::is_whole_upload), a weapon.md2 next to the main file
// becomes a second mesh with the same frames.
//
// Scene space: see quake/space.hpp.
//
// Errors: malformed, truncated, out_of_range with "byte N", "triangle N" or "frame N"; unsupported (another
// version); limit_exceeded; empty (no frame).
LoadResult<scene::Scene> load_md2(Source& source, const Limits& limits);

} // namespace vitrine
