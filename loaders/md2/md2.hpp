#pragma once
// Quake II's MD2 (magic IDP2, version 8).
// Pure, any thread; the Source is used during the call only.

#include "loaders/base/error.hpp"
#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine {

// One mesh with all frames of the file; a vertex for each pair of position and texture coordinate that a
// triangle names, and for each position that none does. Clips by the frames' names, 10 frames a second, on
// one time line. Of a whole upload or folder (Source::is_whole) a weapon.md2 beside the main file is a second
// mesh that shows the same frames.
//
// Scene space: x' = x, y' = z, z' = -y, so that id's Z up becomes Y up; the model looks along +X.
//
// Errors: malformed, truncated, out_of_range with "byte N", "triangle N" or "frame N"; unsupported (another
// version); limit_exceeded; empty (no frame).
LoadResult<scene::Scene> load_md2(Source& source, const Limits& limits);

} // namespace vitrine
