#include "vk_renderer/scene/pack_steps.hpp"

#include <algorithm>
#include <tuple>

#include "loaders/base/stop.hpp"
#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/flat_meshes.hpp"
#include "loaders/scene/geometry/backface_culling.hpp"
#include "loaders/scene/uv_sets.hpp"
#include "vk_renderer/mesh/closed_mesh.hpp"
#include "vk_renderer/scene/alpha_modes.hpp"
#include "vk_renderer/scene/deformer.hpp"
#include "vk_renderer/textures/material_extensions.hpp"

namespace vitrine::render {
namespace {

// The alpha below which a surface casts no visible shadow. Lines and points cast a full shadow or none.
float min_casting_alpha(scene::Topology topology)
{
    return topology == scene::Topology::triangles ? 0.125f : 0.5f;
}

// Per scene; further triangles are drawn in file order, the far side of a body before the near side.
constexpr std::size_t max_sorted_triangles = 32768;

glm::vec3 center_of(const scene::Mesh& mesh, std::span<const std::uint32_t> vertices)
{
    scene::Aabb box;
    for (const auto vertex : vertices)
        box.add(mesh.positions[vertex]);
    return box.center();
}

bool is_blended(const DrawItem& item)
{
    return item.alpha == scene::AlphaMode::blend || item.transmissive;
}

DrawItem draw_item(const scene::Scene& scene, const PackedScene& out, AlphaModes& alphas,
                   std::uint32_t instance, std::uint32_t number, const DrawRun& run)
{
    const auto& placed = out.instances[instance];
    const auto& mesh = scene.meshes[placed.mesh];
    const auto& primitive = mesh.primitives[number];
    const bool has_material = primitive.material != scene::none;
    const auto material = has_material ? scene.materials[primitive.material] : scene::Material{};
    const bool triangles = primitive.topology == scene::Topology::triangles;
    const auto alpha = alphas.of(placed.mesh, number);
    const auto& color = scene.nodes[placed.node].color;
    DrawItem item{.instance = instance,
                  .primitive = number,
                  .first_index = run.indices.first,
                  .index_count = run.indices.count,
                  .vertex_offset = static_cast<std::int32_t>(out.first_vertex[instance]),
                  .material =
                      has_material ? primitive.material : static_cast<std::uint32_t>(scene.materials.size()),
                  .topology = primitive.topology,
                  .alpha = alpha,
                  .flat = scene::is_flat(mesh),
                  .cull = culls_back_faces(scene, primitive.material),
                  .back_to_back = run.back_to_back,
                  .unlit = material.unlit,
                  .lit_like_surface = !triangles && primitive.has_normals && !material.unlit,
                  .colored = !mesh.colors.empty() || color != glm::vec4(1.0f) ||
                             material.base_color_texture.image != scene::none,
                  .has_extensions = triangles && has_extensions(material),
                  .transmissive = triangles && transmits(material),
                  .uses_tangents = has_mapped_tangents(scene, mesh, primitive),
                  .more_uvs = scene::uv_set_count(material) > scene::first_more_uvs,
                  .casts_shadow = alpha != scene::AlphaMode::blend ||
                                  material.base_color.w * color.w >= min_casting_alpha(primitive.topology)};
    const auto vertices = std::span(out.indices).subspan(run.indices.first, run.indices.count);
    item.palette_entry = first_influence_entry(placed, mesh, vertices[0]);
    if (is_blended(item)) item.center = center_of(mesh, vertices);
    return item;
}

// For a draw whose triangles are in out.blended.
BlendedRun blended_run(const DrawItem& item, const scene::Mesh& mesh, const PackedScene& out)
{
    BlendedRun run{.triangles = item.ordered};
    for (const auto& triangle : std::span(out.blended).subspan(item.ordered.first, item.ordered.count))
        run.center += triangle.center / static_cast<float>(item.ordered.count);
    if (!deforms(mesh)) return run;
    const auto deformed = std::ranges::find(out.skinN_instances, out.first_vertex[item.instance],
                                            &shared::SkinNInstance::first_vertex);
    if (deformed == out.skinN_instances.end()) return run;
    run.mesh = out.instances[item.instance].mesh;
    run.first_weight = deformed->first_weight;
    run.frame_value = deformed->frame_value;
    return run;
}

// Adds a blended draw's triangles to the sorted ones if drawing back faces before front faces is not exact.
void order(const scene::Scene& scene, DrawItem& item, PackedScene& out)
{
    if (!is_blended(item) || item.topology != scene::Topology::triangles) return;
    const auto& placed = out.instances[item.instance];
    const auto& mesh = scene.meshes[placed.mesh];
    const auto corners = std::span(out.indices).subspan(item.first_index, item.index_count);
    if (!deforms(mesh) && is_convex(mesh, corners)) return;
    item.needs_sorting = true;
    if (out.blended.size() + corners.size() / 3 > max_sorted_triangles) return;
    item.ordered.first = static_cast<std::uint32_t>(out.blended.size());
    item.ordered.count = static_cast<std::uint32_t>(corners.size() / 3);
    for (std::size_t t = 0; t + 2 < corners.size(); t += 3) {
        BlendedTriangle triangle{.palette_entry = first_influence_entry(placed, mesh, corners[t])};
        for (std::size_t i = 0; i < 3; ++i) {
            triangle.corners[i] = corners[t + i];
            triangle.center += mesh.positions[corners[t + i]] / 3.0f;
        }
        out.blended.push_back(triangle);
    }
    item.run = static_cast<std::uint32_t>(out.blended_runs.size());
    out.blended_runs.push_back(blended_run(item, mesh, out));
}

bool is_opaque(const scene::Scene& scene, AlphaModes& alphas, std::uint32_t mesh, std::uint32_t number)
{
    const auto& primitive = scene.meshes[mesh].primitives[number];
    return primitive.topology == scene::Topology::triangles &&
           alphas.of(mesh, number) == scene::AlphaMode::opaque &&
           (primitive.material == scene::none || !transmits(scene.materials[primitive.material]));
}

bool is_opaque(const scene::Scene& scene, AlphaModes& alphas, std::uint32_t mesh)
{
    for (std::uint32_t p = 0; p < scene.meshes[mesh].primitives.size(); ++p)
        if (!is_opaque(scene, alphas, mesh, p)) return false;
    return true;
}

// By mesh. Not computed for meshes that are culled anyway.
std::vector<bool> closed_meshes(const scene::Scene& scene, AlphaModes& alphas, const PackedScene& out)
{
    std::vector<bool> closed(scene.meshes.size(), false), examined(scene.meshes.size(), false);
    for (const auto& draw : out.draws) {
        const auto number = out.instances[draw.instance].mesh;
        if (draw.cull || examined[number]) continue;
        check_stop();
        examined[number] = true;
        closed[number] = is_opaque(scene, alphas, number) && is_closed(scene.meshes[number]);
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

// Merges adjacent ranges. Uses only the draws.
void add_triangle_instances(const scene::Scene& scene, PackedScene& out)
{
    std::vector<std::uint32_t> instances;
    for (const auto& draw : out.draws)
        if (draw.topology == scene::Topology::triangles && !draw.flat) instances.push_back(draw.instance);
    const auto first = [&](std::uint32_t instance) { return out.first_vertex[instance]; };
    std::ranges::sort(instances, {}, first);
    const auto repeated = std::ranges::unique(instances);
    instances.erase(repeated.begin(), repeated.end());
    for (const auto instance : instances) {
        const auto count =
            static_cast<std::uint32_t>(scene.meshes[out.instances[instance].mesh].positions.size());
        auto& all = out.triangle_instances;
        if (!all.empty() && all.back().first + all.back().count == first(instance))
            all.back().count += count;
        else
            all.push_back({first(instance), count});
    }
}

void add_draws(const scene::Scene& scene, PackedScene& out)
{
    AlphaModes alphas(scene);
    DrawRuns runs(scene, alphas, out);
    for (std::uint32_t i = 0; i < out.instances.size(); ++i) {
        check_stop();
        const auto& primitives = runs.find_or_build(out.instances[i].mesh);
        for (std::uint32_t p = 0; p < primitives.size(); ++p)
            for (std::size_t r = 0; r < primitives[p].size(); ++r) {
                const auto& run = primitives[p][r];
                out.draws.push_back(draw_item(scene, out, alphas, i, p, run));
                out.draws.back().first_part = r == 0 || run.back_to_back != primitives[p][r - 1].back_to_back;
                order(scene, out.draws.back(), out);
            }
    }
    const auto closed = closed_meshes(scene, alphas, out);
    for (auto& draw : out.draws) {
        draw.closed = closed[out.instances[draw.instance].mesh];
        if (draw.topology == scene::Topology::points) out.point_count += draw.index_count;
    }
    std::ranges::sort(out.draws, {}, [](const DrawItem& d) {
        return std::tuple(is_blended(d), d.alpha, d.topology, d.unlit, d.material, d.instance, d.first_index);
    });
    add_triangle_instances(scene, out);
}

} // namespace vitrine::render
