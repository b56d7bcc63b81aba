#pragma once
// Reads glTF 2.0 (.gltf and .glb) into a Scene. README.md lists what is supported, rejected and reported as a
// warning.

#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine {

namespace gltf {
class Document;
}

// Errors: malformed, truncated, out_of_range with a JSON pointer into the file; unsupported (glTF 1.0, or a
// required extension by name); missing_file (a buffer); empty; limit_exceeded.
LoadResult<scene::Scene> load_gltf(Source& source, const Limits& limits);
// The same, with meshes that may be flat (loaders/scene/flat_meshes.hpp).
LoadResult<scene::Scene> load_gltf_with_flat_meshes(Source& source, const Limits& limits);

// Reads the extensions of a format that is based on glTF: called after all other steps, when the scene's
// nodes still have the indices of the file; instances and helpers follow them.
using ReadGltfExtensions = LoadResult<void> (*)(gltf::Document& document, scene::Scene& scene);
// As load_gltf_with_flat_meshes().
LoadResult<scene::Scene> load_gltf_with_extensions(Source& source, const Limits& limits,
                                                   ReadGltfExtensions read_extensions);

// Loads the libraries that all of them need, if they were not. A process that may open no files later calls
// this before. Returns false if one is not installed.
bool load_gltf_libraries();

// Returns whether the file has animations and no mesh. Searches for names without parsing; false in doubt.
bool is_animation_only_gltf(Bytes file);

} // namespace vitrine
