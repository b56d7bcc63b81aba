#pragma once
// Converts FBX's Lambert and Phong materials and the shaders of modeling programs to metallic-roughness.

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "loaders/fbx/document/load_context.hpp"

namespace vitrine::fbx {

// A texture that selects its UV set by name; the set's index depends on the mesh.
struct NamedUvSet {
    std::uint32_t material = 0;
    scene::Texture scene::Material::* texture = nullptr;
    std::string_view name;
};

struct MaterialMap {
    std::vector<std::uint32_t> material_of; // by object; scene::none where it is not a material
    std::vector<NamedUvSet> uv_sets;        // by material, ascending

    std::span<const NamedUvSet> uv_sets_of(std::uint32_t material) const;
};

// Errors: limit_exceeded.
LoadResult<MaterialMap> add_materials(const LoadContext& context);

using MaterialSlots = std::vector<std::uint32_t>; // of one model: scene materials in the order of their slots

// A geometry shared by several models, which may have different numbers of materials.
struct GeometryUse {
    std::size_t materials = 0; // the largest number of any model
    // By material slot: names of the UV sets that its textures use, the most important first; "" stands for
    // textures that name no set, which use the first set of the mesh.
    std::vector<std::vector<std::string_view>> uv_sets{};
};

// The materials of each model, and the combined requirements of all models that share a geometry. Not
// thread-safe; used by the loading thread.
class ModelMaterials {
public:
    ModelMaterials(const LoadContext& context, const MaterialMap& all) : context_(context), all_(all) {}

    MaterialSlots of(std::uint32_t model) const;

    void note_use(std::uint32_t model, std::uint32_t geometry);
    const GeometryUse& use_of(std::uint32_t geometry) { return uses_[geometry]; }

    // Warns when this model has no material for a slot in `slots` that another model has (scene::none: no
    // model has one). Polygons of a model without materials have none.
    void warn_about_missing(std::uint32_t model, std::size_t materials,
                            std::span<const std::uint32_t> slots) const;

private:
    std::vector<std::string_view> uv_sets_of(std::uint32_t material) const;

    const LoadContext& context_;
    const MaterialMap& all_;
    std::map<std::uint32_t, GeometryUse> uses_; // by geometry
};

} // namespace vitrine::fbx
