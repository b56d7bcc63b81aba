#pragma once
// Materials as metallic-roughness: FBX's own Lambert and Phong, and the shaders of modelling programs.

#include "loaders/fbx/document/load_context.hpp"

namespace vitrine::fbx {

// A texture that asks for its UV set by name; which number that is, the meshes know.
struct NamedUvSet {
    std::uint32_t material = 0;
    scene::Texture scene::Material::* texture = nullptr;
    std::string_view name;
};

struct MaterialMap {
    std::vector<std::uint32_t> material_of; // by object; scene::none where it is no material
    std::vector<NamedUvSet> uv_sets;        // by material, ascending

    std::span<const NamedUvSet> uv_sets_of(std::uint32_t material) const;
};

// Errors: limit_exceeded.
LoadResult<MaterialMap> add_materials(const LoadContext& context);

} // namespace vitrine::fbx
