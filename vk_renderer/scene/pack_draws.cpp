#include "vk_renderer/scene/pack_draws.hpp"

#include <algorithm>
#include <tuple>

#include "loaders/scene/bounds.hpp"
#include "vk_renderer/scene/closed.hpp"
#include "vk_renderer/scene/culling.hpp"

namespace vitrine::render {
namespace {

// What stops less of the light casts no shadow that anybody would see. Lines and points cast all of theirs
// or none.
float least_casting_alpha(scene::Topology topology)
{
    return topology == scene::Topology::triangles ? 0.125f : 0.5f;
}

glm::vec3 middle_of(const scene::Mesh& mesh, const scene::Primitive& primitive)
{
    scene::Aabb box;
    for (std::uint32_t k = primitive.first; k < primitive.first + primitive.count; ++k)
        box.add(mesh.positions[mesh.indices[k]]);
    return box.centre();
}

DrawItem draw_item(const scene::Scene& scene, const PackedScene& out, std::uint32_t instance,
                   std::uint32_t number, std::uint32_t first_index)
{
    const auto& placed = out.instances[instance];
    const auto& mesh = scene.meshes[placed.mesh];
    const auto& primitive = mesh.primitives[number];
    const bool has_material = primitive.material != scene::none;
    const auto material = has_material ? scene.materials[primitive.material] : scene::Material{};
    DrawItem item{.instance = instance,
                  .primitive = number,
                  .first_index = first_index + primitive.first,
                  .index_count = primitive.count,
                  .vertex_offset = static_cast<std::int32_t>(out.first_vertex[instance]),
                  .material =
                      has_material ? primitive.material : static_cast<std::uint32_t>(scene.materials.size()),
                  .topology = primitive.topology,
                  .alpha = material.alpha_mode,
                  .cull = culls_backs(scene, primitive.material),
                  .unlit = material.unlit,
                  .tangents = has_mapped_tangents(scene, mesh, primitive),
                  .casts = material.alpha_mode != scene::AlphaMode::blend ||
                           material.base_colour.w >= least_casting_alpha(primitive.topology)};
    item.palette_entry = mover_of(placed, mesh, primitive);
    if (item.alpha == scene::AlphaMode::blend) item.middle = middle_of(mesh, primitive);
    return item;
}

bool is_opaque(const scene::Scene& scene, const scene::Primitive& primitive)
{
    return primitive.topology == scene::Topology::triangles &&
           (primitive.material == scene::none ||
            scene.materials[primitive.material].alpha_mode == scene::AlphaMode::opaque);
}

// By mesh. What culls anyway need not know.
std::vector<bool> closed_meshes(const scene::Scene& scene, const PackedScene& out)
{
    std::vector<bool> closed(scene.meshes.size(), false), known(scene.meshes.size(), false);
    for (const auto& draw : out.draws) {
        const auto number = out.instances[draw.instance].mesh;
        const auto& mesh = scene.meshes[number];
        if (draw.cull || known[number]) continue;
        known[number] = true;
        closed[number] =
            std::ranges::all_of(mesh.primitives, [&](const auto& p) { return is_opaque(scene, p); }) &&
            is_closed(mesh);
    }
    return closed;
}

} // namespace

bool has_mapped_tangents(const scene::Scene& scene, const scene::Mesh& mesh,
                         const scene::Primitive& primitive)
{
    return !mesh.tangents.empty() && primitive.topology == scene::Topology::triangles &&
           primitive.material != scene::none &&
           scene.materials[primitive.material].normal_texture.image != scene::none;
}

void add_draws(const scene::Scene& scene, PackedScene& out)
{
    std::vector<std::uint32_t> first_index(scene.meshes.size(), scene::none);
    for (std::uint32_t i = 0; i < out.instances.size(); ++i) {
        const auto mesh_index = out.instances[i].mesh;
        const auto& mesh = scene.meshes[mesh_index];
        if (first_index[mesh_index] == scene::none) {
            first_index[mesh_index] = static_cast<std::uint32_t>(out.indices.size());
            out.indices.insert(out.indices.end(), mesh.indices.begin(), mesh.indices.end());
        }
        for (std::uint32_t p = 0; p < mesh.primitives.size(); ++p)
            if (mesh.primitives[p].count > 0)
                out.draws.push_back(draw_item(scene, out, i, p, first_index[mesh_index]));
    }
    const auto closed = closed_meshes(scene, out);
    for (auto& draw : out.draws)
        draw.closed = closed[out.instances[draw.instance].mesh];
    std::ranges::sort(out.draws, {}, [](const DrawItem& d) {
        return std::tuple(d.alpha == scene::AlphaMode::blend, d.alpha, d.topology, d.unlit, d.material,
                          d.instance, d.first_index);
    });
}

} // namespace vitrine::render
