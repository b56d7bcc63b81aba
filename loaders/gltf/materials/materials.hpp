#pragma once
// Images, textures and materials. Nothing here refuses a file: what is wrong becomes a warning and a default.

#include "loaders/gltf/document/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

// One scene::Image per glTF image, decoded; one without pixels where that failed.
LoadResult<void> load_images(Document& document, scene::Scene& scene);
// One scene::Material per glTF material; its UV sets as the file numbers them. Needs the images.
LoadResult<void> load_materials(Document& document, scene::Scene& scene);

} // namespace vitrine::gltf
