#pragma once
// Reads STL (stereolithography), text and binary, into a Scene. Pure functions, any thread; the Source is
// only used during the call.

#include "loaders/base/error.hpp"
#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine {

// Whether the size is that of a binary STL with its number of facets, or the text begins like one.
bool is_stl(Bytes bytes);

// Creates one mesh and node per solid: binary files have one, named like the file. Facets are flat: their
// normals are those of their corners.
//
// Scene space: the file is Z up, in millimeters (README.md).
//
// Errors: empty (no facet), malformed and truncated with "line N" or "byte N", limit_exceeded.
LoadResult<scene::Scene> load_stl(Source& source, const Limits& limits);
// The same with flat meshes (loaders/scene/flat_meshes.hpp), whose facets share vertices of equal position
// and color.
LoadResult<scene::Scene> load_stl_with_flat_meshes(Source& source, const Limits& limits);

} // namespace vitrine
