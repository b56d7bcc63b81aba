#pragma once
// Animations -> clips. A channel that cannot be used is left out with a warning; the others still play.

#include "loaders/gltf/document/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

// Needs nodes with the indices of the file.
LoadResult<void> load_animations(Document& document, scene::Scene& scene);

} // namespace vitrine::gltf
