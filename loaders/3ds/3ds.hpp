#pragma once
// Reads 3D Studio's .3ds: meshes, materials and keyframer animation.

#include "loaders/base/error.hpp"
#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine {

// Returns whether the bytes start like a 3DS file.
bool is_3ds(Bytes bytes);

// Any thread; reads only from `source`. See README.md.
LoadResult<scene::Scene> load_3ds(Source& source, const Limits& limits);

} // namespace vitrine
