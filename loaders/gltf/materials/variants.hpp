#pragma once
// KHR_materials_variants: the names of the variants at the root of the file, and for each primitive the
// material of each variant. What is wrong in a mapping becomes a warning, and the primitive keeps its own
// material there.

#include <vector>

#include "loaders/gltf/document/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

// Fills Scene::variants. Error: limit_exceeded (more variants than Limits::materials).
LoadResult<void> load_variants(Document& document, scene::Scene& scene);

// Of one primitive. Needs the scene's materials and variants.
std::vector<scene::VariantMaterial> read_variant_materials(Document& document, const scene::Scene& scene,
                                                           io::JsonValue primitive);

} // namespace vitrine::gltf
