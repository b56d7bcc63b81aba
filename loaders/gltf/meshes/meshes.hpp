#pragma once
// Converts glTF meshes to scene::Mesh: the primitives of a mesh share one set of vertices; primitives with
// the same accessors share theirs.

#include <cstdint>
#include <set>

#include "loaders/gltf/document/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

// Fills scene.meshes (one per glTF mesh, same indices), source_vertices and source_polygons. Precondition:
// materials are loaded, because normal maps need tangents.
LoadResult<void> load_meshes(Document& document, scene::Scene& scene);

} // namespace vitrine::gltf
