#pragma once
// Materials, textures and samplers of a glTF document.

#include <string>
#include <vector>

#include "loaders/export/json_writer.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

struct GltfMaterials {
    std::string materials; // JSON arrays; empty where there is nothing
    std::string textures;
    std::string samplers;
    std::vector<std::string> extensions;
};

// image_index: for each scene image its place in the document, `none` for one without pixels.
GltfMaterials write_gltf_materials(const scene::Scene& scene, const std::vector<std::uint32_t>& image_index);

} // namespace vitrine::exporting
