#pragma once
// 3D Studio's .3ds: meshes, materials and the keyframer.

#include "loaders/base/error.hpp"
#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine {

// Whether the bytes start as a 3DS file does.
bool is_3ds(Bytes bytes);

// Any thread; reads nothing but `source`. See README.md.
LoadResult<scene::Scene> load_3ds(Source& source, const Limits& limits);

} // namespace vitrine
