#pragma once
// Reads Wavefront OBJ with its MTL libraries into a Scene. Pure function, any thread; the Source is only used
// during the call.

#include "loaders/base/error.hpp"
#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine {

// Creates one mesh and node per `o` (without any: one, named by its first `g`, else by the file's stem), with
// one primitive per material; axes and unit of the file are the scene's. Faces without `vn` are flat, within
// an `s` group smooth.
//
// Tolerant: an unreadable line, an index out of range, or a missing library or image causes a warning, and
// only what depends on it is dropped. A file without vertices that names materials or a library loads with
// those alone. Errors: empty (neither vertices nor materials), out_of_range (no face has valid vertices),
// limit_exceeded.
LoadResult<scene::Scene> load_obj(Source& source, const Limits& limits);

} // namespace vitrine
