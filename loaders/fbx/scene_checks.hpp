#pragma once
// Checks and steps over the whole file or scene.

#include "loaders/fbx/document/load_context.hpp"

namespace vitrine::fbx {

// Adds tangents to meshes that have a material with a normal map.
void add_tangents(scene::Scene& scene);

// Error: malformed when a model is its own ancestor.
LoadResult<void> check_cycles(const LoadContext& context);

// Warns about recognized but unsupported content (NURBS, subdivision surfaces, constraints) and about
// transforms that cannot be represented.
void warn_about_unsupported(const LoadContext& context);

} // namespace vitrine::fbx
