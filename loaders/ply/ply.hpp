#pragma once
// Reads PLY (Stanford polygon format), text and binary, into a Scene. Pure functions, any thread; the Source
// is only used during the call.

#include "loaders/base/error.hpp"
#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine {

// Whether the file begins with the line "ply".
bool is_ply(Bytes bytes);

// Creates one mesh and node of the faces and triangle strips, named like the file, and another of the edges;
// of a file with neither, one of points. Faces without normals of vertices are flat. The axes and the unit of
// the file are the scene's.
//
// Tolerant: faces with invalid indices are dropped with a warning. Errors: malformed (header, with "line N";
// numbers), truncated, unsupported (no positions), empty (no vertices), out_of_range (no valid face),
// limit_exceeded.
LoadResult<scene::Scene> load_ply(Source& source, const Limits& limits);
// The same with meshes that may be flat (loaders/scene/flat_meshes.hpp).
LoadResult<scene::Scene> load_ply_with_flat_meshes(Source& source, const Limits& limits);

} // namespace vitrine
