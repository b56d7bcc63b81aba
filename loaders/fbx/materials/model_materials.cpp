#include "loaders/fbx/materials/materials.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "loaders/scene/material_textures.hpp"

namespace vitrine::fbx {

MaterialSlots ModelMaterials::of(std::uint32_t model) const
{
    MaterialSlots found;
    for (const ObjectConnection& connection : context_.document.sources(model)) {
        if (context_.document.object(connection.source).type == ObjectType::material)
            found.push_back(all_.material_of[connection.source]);
    }
    return found;
}

// Base color and normal come first.
std::vector<std::string_view> ModelMaterials::uv_sets_of(std::uint32_t number) const
{
    const auto named = all_.uv_sets_of(number);
    const scene::Material& material = context_.scene.materials[number];
    std::vector<std::string_view> out;
    const auto add = [&](const scene::Texture* texture) {
        const auto found = std::ranges::find_if(
            named, [&](const NamedUvSet& set) { return &(material.*set.texture) == texture; });
        if (found != named.end())
            out.push_back(found->name);
        else if (texture->image != scene::none)
            out.emplace_back();
    };
    add(&material.base_color_texture);
    add(&material.normal_texture);
    for (const scene::Texture* texture : scene::textures_of(material))
        add(texture);
    return out;
}

void ModelMaterials::note_use(std::uint32_t model, std::uint32_t geometry)
{
    const MaterialSlots materials = of(model);
    GeometryUse& use = uses_[geometry];
    use.materials = std::max(use.materials, materials.size());
    use.uv_sets.resize(use.materials);
    for (std::size_t i = 0; i < materials.size(); ++i)
        for (const std::string_view name : uv_sets_of(materials[i]))
            if (std::ranges::find(use.uv_sets[i], name) == use.uv_sets[i].end())
                use.uv_sets[i].push_back(name);
}

void ModelMaterials::warn_about_missing(std::uint32_t model, std::size_t materials,
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
        context_.document.object(model).element.location());
}

} // namespace vitrine::fbx
