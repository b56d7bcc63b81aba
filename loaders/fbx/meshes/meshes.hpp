#pragma once
// Converts geometries with their skins and blend shapes and assigns them to the nodes of their models.

#include "loaders/fbx/document/load_context.hpp"
#include "loaders/fbx/materials/materials.hpp"

namespace vitrine::fbx {

// A geometry shared by several models becomes one scene mesh when their materials are equal too.
// Precondition: nodes exist. Errors: limit_exceeded, malformed.
LoadResult<MeshMap> add_meshes(const LoadContext& context, const NodeMap& nodes,
                               const MaterialMap& materials);

} // namespace vitrine::fbx
