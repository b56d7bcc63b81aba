#pragma once
// Writes materials, textures and samplers of a glTF document.

#include <string>
#include <vector>

#include "loaders/export/gltf/json_writer.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

struct GltfMaterials {
    std::string materials; // JSON arrays; empty strings without entries
    std::string textures;
    std::string samplers;
    std::vector<std::string> extensions;
};

// Returns whether the glTF material is written as double-sided; `material` may be `none`. Surfaces of all
// formats except glTF are double-sided; for a generated scene its material decides.
bool is_double_sided(const scene::Scene& scene, std::uint32_t material);

// Returns whether a double-sided material is appended for primitives without a material.
bool needs_plain_material(const scene::Scene& scene);

// image_index: by scene image, its index in the document, or `none` without pixels.
GltfMaterials write_gltf_materials(const scene::Scene& scene, const std::vector<std::uint32_t>& image_index);

} // namespace vitrine::exporting
