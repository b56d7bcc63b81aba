#pragma once
// Writes materials, textures and samplers of a glTF document.

#include <array>
#include <map>
#include <string>
#include <vector>

#include "loaders/export/gltf/json_writer.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

inline constexpr const char* variants_extension = "KHR_materials_variants";

struct GltfMaterials {
    std::string materials; // JSON arrays; empty strings without entries
    std::string textures;
    std::string samplers;
    std::vector<std::string> extensions;
};

// Returns whether the glTF material is written as double-sided; `material` may be `none`. Surfaces of all
// formats except glTF are double-sided; for a generated scene its material decides.
bool is_double_sided(const scene::Scene& scene, std::uint32_t material);

// The materials of a document: those of the scene, the default material where it is needed, then copies whose
// base color is multiplied by the color of a node.
class GltfMaterialTable {
public:
    explicit GltfMaterialTable(const scene::Scene& scene);

    // Returns the index in the document, possibly `none`; `material` may be `none`.
    std::uint32_t index(std::uint32_t material, const glm::vec4& color);
    // The copies; see double_sided() for their double_sided.
    const std::vector<scene::Material>& colored() const { return colored_; }
    const std::vector<bool>& double_sided() const { return double_sided_; } // by colored()
    // Returns whether a base color was clamped, because glTF limits factors to 1.
    bool has_clamped() const { return has_clamped_; }

private:
    const scene::Scene& scene_;
    std::uint32_t first_colored_;
    std::map<std::pair<std::uint32_t, std::array<float, 4>>, std::uint32_t> known_;
    std::vector<scene::Material> colored_;
    std::vector<bool> double_sided_;
    bool has_clamped_ = false;
};

// Returns whether a double-sided material is appended for primitives without a material.
bool needs_plain_material(const scene::Scene& scene);

// image_index: by scene image, its index in the document, or `none` without pixels.
GltfMaterials write_gltf_materials(const scene::Scene& scene, const GltfMaterialTable& table,
                                   const std::vector<std::uint32_t>& image_index);

} // namespace vitrine::exporting
