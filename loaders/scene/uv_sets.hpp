#pragma once
// The sets of texture coordinates of a mesh by their number, as Texture::uv_set.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "loaders/scene/material_textures.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Mesh::more_uvs begins with this set.
inline constexpr std::size_t first_more_uvs = 2;

inline const Array<glm::vec2> no_uvs{};

// Empty if the mesh lacks the set.
inline const Array<glm::vec2>& uvs_of(const Mesh& mesh, std::size_t set)
{
    if (set < first_more_uvs) return set == 0 ? mesh.uv0 : mesh.uv1;
    return set - first_more_uvs < mesh.more_uvs.size() ? mesh.more_uvs[set - first_more_uvs] : no_uvs;
}

// Adds the set if the mesh lacks it. Precondition: set < max_uv_sets.
inline Array<glm::vec2>& make_uvs(Mesh& mesh, std::size_t set)
{
    if (set < first_more_uvs) return set == 0 ? mesh.uv0 : mesh.uv1;
    if (mesh.more_uvs.size() <= set - first_more_uvs) mesh.more_uvs.resize(set - first_more_uvs + 1);
    return mesh.more_uvs[set - first_more_uvs];
}

// One more than the highest set that the mesh has.
inline std::uint32_t uv_set_count(const Mesh& mesh)
{
    auto count = static_cast<std::uint32_t>(first_more_uvs + mesh.more_uvs.size());
    while (count > 0 && uvs_of(mesh, count - 1).empty())
        --count;
    return count;
}

// One more than the highest set that the material's textures use.
inline std::uint32_t uv_set_count(const Material& material)
{
    std::uint32_t count = 0;
    for (const Texture* texture : textures_of(material))
        if (texture->image != none) count = std::max(count, texture->uv_set + 1u);
    return count;
}

} // namespace vitrine::scene
