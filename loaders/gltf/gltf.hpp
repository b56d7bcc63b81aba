#pragma once
// glTF 2.0, .gltf and .glb -> Scene. See README.md for what is read, refused and warned of.

#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine {

// Errors: malformed, truncated, out_of_range with a JSON pointer into the file; unsupported (glTF 1.0, a
// required extension, by its name); missing_file (a buffer); empty; limit_exceeded.
LoadResult<scene::Scene> load_gltf(Source& source, const Limits& limits);

// Whether the file has animations and no mesh; looked for by name, not parsed, and in doubt false.
bool is_animation_only_gltf(Bytes file);

} // namespace vitrine
