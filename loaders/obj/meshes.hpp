#pragma once
// From a Document to meshes and nodes of the Scene.

#include "loaders/obj/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::obj {

// One mesh and node per part. Empties the document's elements on the way, to keep the peak low. Primitive
// materials are indices into Document::materials still.
void add_meshes(Document& document, scene::Scene& scene);

} // namespace vitrine::obj
