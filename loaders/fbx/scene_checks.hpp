#pragma once
// Last steps over the whole scene, which need materials, nodes and meshes together.

#include "loaders/fbx/document/load_context.hpp"
#include "loaders/fbx/materials/materials.hpp"

namespace vitrine::fbx {

// Textures that name their UV set find its number in each mesh that uses their material.
void choose_uv_sets(const LoadContext& context, const MaterialMap& materials, const MeshMap& meshes);

// For meshes that a material with a normal map covers.
void add_tangents(scene::Scene& scene);

// malformed: a model that stands below itself.
LoadResult<void> check_cycles(const LoadContext& context);

// NURBS, subdivision, constraints: understood, not shown. Transforms that cannot be.
void warn_of_unshown(const LoadContext& context);

} // namespace vitrine::fbx
