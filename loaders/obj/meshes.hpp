#pragma once
// Converts a Document to meshes and nodes of the Scene.

#include "loaders/obj/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::obj {

// Adds one mesh and node per part. Releases the document's elements while converting, to limit peak memory.
// The primitives' materials are still indices into Document::materials.
void add_meshes(Document& document, scene::Scene& scene);

} // namespace vitrine::obj
