#include "loaders/fbx/finish.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "loaders/io/text_reader.hpp"
#include "loaders/scene/geometry.hpp"

namespace vitrine::fbx {
namespace {

bool has_normal_map(const scene::Scene& scene, const scene::Mesh& mesh)
{
    return std::ranges::any_of(mesh.primitives, [&](const auto& p) {
        return p.material != scene::none && scene.materials[p.material].normal_texture.image != scene::none;
    });
}

} // namespace

void choose_uv_sets(scene::Scene& scene, const MaterialMap& materials, const MeshMap& meshes)
{
    std::vector<std::uint32_t> mesh_with(scene.materials.size(), scene::none);
    for (std::uint32_t m = 0; m < scene.meshes.size(); ++m) {
        for (const scene::Primitive& primitive : scene.meshes[m].primitives)
            if (primitive.material != scene::none && mesh_with[primitive.material] == scene::none)
                mesh_with[primitive.material] = m;
    }
    for (const NamedUvSet& wanted : materials.uv_sets) {
        const std::uint32_t mesh = mesh_with[wanted.material];
        if (mesh == scene::none || meshes.uv_sets[mesh].size() < 2) continue;
        (scene.materials[wanted.material].*wanted.texture).uv_set =
            meshes.uv_sets[mesh][1] == wanted.name ? 1 : 0;
    }
}

void add_tangents(scene::Scene& scene)
{
    for (scene::Mesh& mesh : scene.meshes)
        if (has_normal_map(scene, mesh)) scene::compute_tangents(mesh);
}

void warn_of_unshown(const Import& import)
{
    for (const Object& object : import.document.objects()) {
        if (object.type == Type::surface)
            import.warnings.add(
                "unsupported_geometry",
                fmt::format("{} {} is not shown", io::to_utf8(object.sub_type), io::shown(object.name)),
                object.element.place());
        else if (object.type == Type::mesh && object.element.integer("Smoothness") > 0)
            import.warnings.add("unsupported_subdivision",
                                fmt::format("{} is shown without its subdivision", io::shown(object.name)),
                                object.element.place());
        else if (object.type == Type::constraint && object.sub_type != "Character")
            import.warnings.add("unsupported_constraint",
                                fmt::format("the constraint {} is not followed", io::shown(object.name)),
                                object.element.place());
    }
}

} // namespace vitrine::fbx
