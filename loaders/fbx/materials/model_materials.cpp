#include "loaders/fbx/materials/model_materials.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace vitrine::fbx {

Materials ModelMaterials::of(std::uint32_t model) const
{
    Materials found;
    for (const Connection& connection : context_.document.sources(model)) {
        if (context_.document.object(connection.source).type == Type::material)
            found.push_back(all_.material_of[connection.source]);
    }
    return found;
}

void ModelMaterials::note_use(std::uint32_t model, std::uint32_t geometry)
{
    const Materials materials = of(model);
    GeometryUse& use = uses_[geometry];
    use.materials = std::max(use.materials, materials.size());
    for (const std::uint32_t material : materials)
        for (const NamedUvSet& set : all_.uv_sets_of(material))
            use.uv_sets.insert(set.name);
}

void ModelMaterials::warn_of_missing(std::uint32_t model, std::size_t materials,
                                     std::span<const std::uint32_t> slots) const
{
    const bool is_whole = std::ranges::all_of(
        slots, [&](std::uint32_t slot) { return slot == scene::none || slot < materials; });
    if (materials == 0 || is_whole) return;
    context_.warnings.add(
        "index_out_of_range",
        fmt::format("polygons have a material index above this model's {} materials and are shown "
                    "without a material; another model of the geometry has more materials",
                    materials),
        context_.document.object(model).element.place());
}

} // namespace vitrine::fbx
