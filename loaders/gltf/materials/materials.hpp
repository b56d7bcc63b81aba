#pragma once
// Images, textures and materials. Never rejects a file: faults cause warnings and defaults.

#include "loaders/gltf/document/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

// Adds one scene::Image per glTF image; without pixels when decoding failed.
LoadResult<void> load_images(Document& document, scene::Scene& scene);
// Adds one scene::Material per glTF material, with the UV set numbers of the file. Precondition: images are
// loaded.
LoadResult<void> load_materials(Document& document, scene::Scene& scene);

} // namespace vitrine::gltf
