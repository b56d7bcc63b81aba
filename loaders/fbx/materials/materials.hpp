#pragma once
// Converts FBX's Lambert and Phong materials and the shaders of modeling programs to metallic-roughness.

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

} // namespace vitrine::fbx
