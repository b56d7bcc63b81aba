#pragma once
// Materials, textures and samplers of a glTF document.

#include <array>
#include <map>
#include <string>
#include <vector>

#include "loaders/export/gltf/json_writer.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

inline constexpr const char* variants_extension = "KHR_materials_variants";

struct GltfMaterials {
    std::string materials; // JSON arrays; empty where there is nothing
    std::string textures;
    std::string samplers;
    std::vector<std::string> extensions;
};

// Whether glTF has to be told that a surface has two sides; `material` may be `none`. All other formats show
// backs whatever they say; of a scene that comes from no file its material says it.
bool is_double_sided(const scene::Scene& scene, std::uint32_t material);

// The materials of a document: the scene's own, the plain one where it is needed, then those whose base color
// is multiplied by that of a node.
class GltfMaterialTable {
public:
    explicit GltfMaterialTable(const scene::Scene& scene);

    // `material` may be `none`, and so may the answer.
    std::uint32_t index(std::uint32_t material, const glm::vec4& color);
    // Without double_sided.
    const std::vector<scene::Material>& colored() const { return colored_; }
    const std::vector<bool>& double_sided() const { return double_sided_; } // of these
    // glTF's factors end at 1.
    bool has_clamped() const { return has_clamped_; }

private:
    const scene::Scene& scene_;
    std::uint32_t first_colored_;
    std::map<std::pair<std::uint32_t, std::array<float, 4>>, std::uint32_t> known_;
    std::vector<scene::Material> colored_;
    std::vector<bool> double_sided_;
    bool has_clamped_ = false;
};

// Whether a double-sided material stands behind the scene's own, for primitives that have none.
bool needs_plain_material(const scene::Scene& scene);

// image_index: for each scene image its place in the document, `none` for one without pixels.
GltfMaterials write_gltf_materials(const scene::Scene& scene, const GltfMaterialTable& table,
                                   const std::vector<std::uint32_t>& image_index);

} // namespace vitrine::exporting
