#pragma once
// Which materials a model wears, and what all models that show one geometry need of it. Not of any thread but
// the load's.

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "loaders/fbx/document/load_context.hpp"
#include "loaders/fbx/materials/materials.hpp"

namespace vitrine::fbx {

using Materials = std::vector<std::uint32_t>; // of a model: scene materials in the order of their numbers

// A geometry shown by several models, of which one may have more materials than another.
struct GeometryUse {
    std::size_t materials = 0; // the most of any model
    // By number of a material the sets that its textures name, the important ones first; "": some name none
    // and mean the first of the mesh.
    std::vector<std::vector<std::string_view>> uv_sets{};
};

class ModelMaterials {
public:
    ModelMaterials(const LoadContext& context, const MaterialMap& all) : context_(context), all_(all) {}

    Materials of(std::uint32_t model) const;

    void note_use(std::uint32_t model, std::uint32_t geometry);
    const GeometryUse& use_of(std::uint32_t geometry) { return uses_[geometry]; }

    // Warns where another model has a material for a number in `slots` (scene::none: nobody has) and this one
    // has fewer. Of a model without any all polygons are without.
    void warn_of_missing(std::uint32_t model, std::size_t materials,
                         std::span<const std::uint32_t> slots) const;

private:
    std::vector<std::string_view> uv_sets_of(std::uint32_t material) const;

    const LoadContext& context_;
    const MaterialMap& all_;
    std::map<std::uint32_t, GeometryUse> uses_; // by geometry
};

} // namespace vitrine::fbx
