#pragma once
// Wavefront OBJ with its MTL libraries. Pure, any thread; the Source is used during the call only.

#include "loaders/base/error.hpp"
#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine {

// One mesh and node per `o` (without any: one, named by its first `g`, else by the file's stem), primitives
// by material; file axes and unit are the scene's. Faces without `vn` are flat, within an `s` group smooth.
//
// Tolerant as the format's users expect: a line that cannot be read, an index that points nowhere, a library
// or picture that is missing each cost a warning and only what hangs on them.
// A file without a vertex that names materials or a library loads with those alone.
// Errors: empty (neither vertex nor material), out_of_range (faces, but not one with vertices that exist),
// limit_exceeded.
LoadResult<scene::Scene> load_obj(Source& source, const Limits& limits);

} // namespace vitrine
