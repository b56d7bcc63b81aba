#pragma once
// Reads VRM 0.x and 1.0 characters and VRMA motions: GLB files with the extensions of https://vrm.dev.
// README.md lists what is supported and reported as a warning.

#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine {

// Whether a glTF file, binary or text, has one of the extensions. Searches for their names without parsing; a
// file that has the name elsewhere is loaded as glTF by the functions below.
bool is_vrm(Bytes file);

// Errors: those of load_gltf(). Nodes have their Node::human_bone, the scene its VrmFacts. Characters face
// +Z; those of VRM 0.x face -Z in the file.
LoadResult<scene::Scene> load_vrm(Source& source, const Limits& limits);
// The same, with meshes that may be flat (loaders/scene/flat_meshes.hpp).
LoadResult<scene::Scene> load_vrm_with_flat_meshes(Source& source, const Limits& limits);

} // namespace vitrine
