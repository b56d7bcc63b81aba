#pragma once
// Materials, textures and samplers of a glTF document.

#include <string>
#include <vector>

#include "loaders/export/gltf/json_writer.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

struct GltfMaterials {
    std::string materials; // JSON arrays; empty where there is nothing
    std::string textures;
    std::string samplers;
    std::vector<std::string> extensions;
};

// Whether glTF has to be told that a surface has two sides; `material` may be `none`. All other formats show
// backs whatever they say; of a scene that comes from no file its material says it.
bool is_double_sided(const scene::Scene& scene, std::uint32_t material);

// Whether a double-sided material stands behind the scene's own, for primitives that have none.
bool needs_plain_material(const scene::Scene& scene);

// image_index: for each scene image its place in the document, `none` for one without pixels.
GltfMaterials write_gltf_materials(const scene::Scene& scene, const std::vector<std::uint32_t>& image_index);

} // namespace vitrine::exporting
