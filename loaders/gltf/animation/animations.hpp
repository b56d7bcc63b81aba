#pragma once
// Converts animations to clips. Unusable channels are ignored with a warning; the others still play.

#include "loaders/gltf/document/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

// Precondition: scene.nodes has the indices of the file.
LoadResult<void> load_animations(Document& document, scene::Scene& scene);

} // namespace vitrine::gltf
