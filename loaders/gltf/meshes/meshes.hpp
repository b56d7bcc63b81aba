#pragma once
// glTF meshes -> scene::Mesh: the primitives of one mesh are joined into one set of vertices; primitives that
// name the same accessors share theirs.

#include <cstdint>
#include <set>

#include "loaders/gltf/document/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

// Fills scene.meshes (one per glTF mesh, same indices), source_vertices and source_polygons. Materials must
// be there: a normal map asks for tangents.
LoadResult<void> load_meshes(Document& document, scene::Scene& scene);

} // namespace vitrine::gltf
