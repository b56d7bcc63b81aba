#pragma once
// Final steps over the whole scene, which need materials, nodes and meshes together.

#include "loaders/fbx/document/load_context.hpp"
#include "loaders/fbx/materials/materials.hpp"

namespace vitrine::fbx {

// Resolves the UV sets that textures name to set indices in each mesh that uses their material.
void choose_uv_sets(const LoadContext& context, const MaterialMap& materials, const MeshMap& meshes);

// Adds tangents to meshes that have a material with a normal map.
void add_tangents(scene::Scene& scene);

// Error: malformed when a model is its own ancestor.
LoadResult<void> check_cycles(const LoadContext& context);

// Warns about recognized but unsupported content (NURBS, subdivision surfaces, constraints) and about
// transforms that cannot be represented.
void warn_of_unshown(const LoadContext& context);

} // namespace vitrine::fbx
