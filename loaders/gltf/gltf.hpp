#pragma once
// Reads glTF 2.0 (.gltf and .glb) into a Scene. README.md lists what is supported, rejected and reported as a
// warning.

#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine {

// Errors: malformed, truncated, out_of_range with a JSON pointer into the file; unsupported (glTF 1.0, or a
// required extension by name); missing_file (a buffer); empty; limit_exceeded.
LoadResult<scene::Scene> load_gltf(Source& source, const Limits& limits);
// The same, with meshes that may be flat (loaders/scene/flat_meshes.hpp).
LoadResult<scene::Scene> load_gltf_with_flat_meshes(Source& source, const Limits& limits);

// Loads the libraries that both need, if they were not. A process that may open no files later calls this
// before. Returns false if one is not installed.
bool load_gltf_libraries();

// Returns whether the file has animations and no mesh. Searches for names without parsing; false in doubt.
bool is_animation_only_gltf(Bytes file);

} // namespace vitrine
