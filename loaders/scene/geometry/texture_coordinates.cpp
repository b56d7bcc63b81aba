#include "loaders/scene/geometry/texture_coordinates.hpp"

#include <algorithm>
#include <string>

#include "loaders/scene/material_textures.hpp"
#include "loaders/scene/uv_sets.hpp"

namespace vitrine::scene {
namespace {

bool is_placed(const Mesh& mesh, const Texture& texture)
{
    return texture.image == none || !uvs_of(mesh, texture.uv_set).empty();
}

// The first texture whose UV set the mesh lacks.
const Texture* texture_without_uvs(const Scene& scene, const Mesh& mesh)
{
    for (const Primitive& primitive : mesh.primitives) {
        if (primitive.material == none || primitive.count == 0) continue;
        const auto textures = textures_of(scene.materials[primitive.material]);
        const auto found =
            std::ranges::find_if(textures, [&](const Texture* t) { return !is_placed(mesh, *t); });
        if (found != textures.end()) return *found;
    }
    return nullptr;
}

} // namespace

std::optional<Warning> missing_texture_coordinates(const Scene& scene)
{
    std::optional<Warning> out;
    std::size_t more = 0;
    for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
        const Mesh& mesh = scene.meshes[m];
        const Texture* texture = texture_without_uvs(scene, mesh);
        if (texture == nullptr || mesh.shares_geometry) continue;
        if (out) {
            ++more;
            continue;
        }
        out = Warning{"missing_texture_coordinates",
                      "no texture coordinates of set " + std::to_string(texture->uv_set) +
                          " for a texture that uses them; the texture shows as one color",
                      mesh.name.empty() ? "mesh " + std::to_string(m) : "mesh '" + mesh.name + "'"};
    }
    if (more > 0) out->message += " (and " + std::to_string(more) + " more meshes)";
    return out;
}

} // namespace vitrine::scene
