#pragma once
// Geometries, with their skins and blend shapes, on the nodes that show them.

#include "loaders/fbx/document/load_context.hpp"
#include "loaders/fbx/materials/materials.hpp"

namespace vitrine::fbx {

// A geometry that several models show becomes one scene mesh where they also have the same materials.
// Nodes must be there. Errors: limit_exceeded, malformed.
LoadResult<MeshMap> add_meshes(const LoadContext& context, const NodeMap& nodes,
                               const MaterialMap& materials);

} // namespace vitrine::fbx
