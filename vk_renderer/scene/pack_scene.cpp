#include "vk_renderer/scene/pack_scene.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <glm/gtc/packing.hpp>

#include "loaders/base/stop.hpp"
#include "loaders/scene/geometry/rendering_origin.hpp"
#include "loaders/scene/uv_sets.hpp"
#include "vk_renderer/base/options.hpp"
#include "vk_renderer/scene/pack_steps.hpp"
#include "vk_renderer/shaders/shaders.hpp"

namespace vitrine::render {
namespace {

using SkinKind = shaders::SkinKind;

// The fast path's 16-bit joints can address this many palette entries.
constexpr std::uint32_t skin4_palette_limit = 1u << 16;

bool fits_skin4(const scene::Instance& instance, const scene::Influences& influences)
{
    if (instance.first_palette + instance.palette_count > skin4_palette_limit) return false;
    for (std::size_t v = 0; v + 1 < influences.first.size(); ++v)
        if (influences.first[v + 1] - influences.first[v] > 4) return false;
    return true;
}

// Whether a blended rotation is defined for every vertex: no weight is negative, at least one is positive.
bool has_positive_weights(const scene::Influences& influences)
{
    if (!std::ranges::all_of(influences.weights, [](float w) { return w >= 0.0f; })) return false;
    for (std::size_t v = 0; v + 1 < influences.first.size(); ++v) {
        const auto of_vertex =
            std::span(influences.weights)
                .subspan(influences.first[v], influences.first[v + 1] - influences.first[v]);
        if (!of_vertex.empty() && !(std::ranges::max(of_vertex) > 0.0f)) return false;
    }
    return true;
}

SkinKind kind_of(const scene::Scene& scene, const scene::Instance& instance)
{
    const auto& mesh = scene.meshes[instance.mesh];
    const auto& first = mesh.influences.first;
    const bool skinned = !first.empty() && instance.skin != scene::none;
    const bool deforms = !mesh.morph_targets.empty() || mesh.frames.count > 0;
    const auto method = skinned ? scene.skins[instance.skin].method : scene::SkinningMethod::linear;
    if (method != scene::SkinningMethod::linear) {
        const bool wholly = method == scene::SkinningMethod::dual_quaternion;
        const bool simple = wholly && !deforms && fits_skin4(instance, mesh.influences);
        return simple && has_positive_weights(mesh.influences) ? SkinKind::dqs4 : SkinKind::dqsN;
    }
    if (deforms) return SkinKind::skinN;
    if (!skinned) return SkinKind::skin1;
    if (!mesh.influences.positions.empty()) return SkinKind::skinN;
    return fits_skin4(instance, mesh.influences) ? SkinKind::skin4 : SkinKind::skinN;
}

// Returns the number of drawn vertices.
std::uint64_t check_size(const scene::Scene& scene, std::span<const scene::Instance> instances)
{
    std::uint64_t vertices = 0;
    for (const auto& instance : instances)
        vertices += scene.meshes[instance.mesh].positions.size();
    constexpr std::uint64_t max_drawn_vertices = 1u << 28;
    if (vertices == 0) throw RenderError("the scene has nothing to draw");
    if (vertices > max_drawn_vertices)
        throw RenderError(
            fmt::format("the scene draws {} vertices; the limit is {}", vertices, max_drawn_vertices));
    return vertices;
}

constexpr std::uint32_t no_normal = 0; // of flat meshes, whose triangles are shaded with their own

// `node_color` is the color of the node that draws the mesh.
void add_vertices(const scene::Mesh& mesh, const glm::vec4& node_color, PackedScene& out)
{
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        out.vertices.push_back(
            {mesh.positions[v], mesh.normals.empty() ? no_normal : encode_octahedral(mesh.normals[v])});
        if (out.has_tangents)
            out.tangents.push_back(mesh.tangents.empty() ? 0u : encode_tangent(mesh.tangents[v]));
        const auto color = mesh.colors.empty() ? node_color : node_color * mesh.colors[v];
        out.attributes.push_back(
            {mesh.uv0.empty() ? glm::vec2(0.0f) : mesh.uv0[v],
             mesh.uv1.empty() ? glm::vec2(0.0f) : mesh.uv1[v],
             {glm::packHalf2x16({color.x, color.y}), glm::packHalf2x16({color.z, color.w})}});
        for (std::size_t i = 0; i < out.more_uv_sets; ++i) {
            const auto& uvs = scene::uvs_of(mesh, scene::first_more_uvs + i);
            out.more_uvs.push_back(uvs.empty() ? glm::vec2(0.0f) : uvs[v]);
        }
    }
}

void add_skin1(const scene::Instance& instance, const scene::Mesh& mesh, PackedScene& out)
{
    const auto node = instance.first_palette + instance.palette_count - 1;
    out.skin1_joints.insert(out.skin1_joints.end(), mesh.positions.size(), node);
}

void put_heaviest_first(glm::uvec4& joints, glm::vec4& weights)
{
    int heaviest = 0;
    for (int i = 1; i < 4; ++i)
        if (weights[i] > weights[heaviest]) heaviest = i;
    std::swap(joints[0], joints[heaviest]);
    std::swap(weights[0], weights[heaviest]);
}

void add_skin4(const scene::Instance& instance, const scene::Mesh& mesh, bool heaviest_first,
               PackedScene& out)
{
    const auto& influences = mesh.influences;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        glm::uvec4 joints(instance.first_palette);
        glm::vec4 weights(0.0f);
        const auto first = influences.first[v];
        const auto count = static_cast<int>(influences.first[v + 1] - first);
        for (int i = 0; i < count; ++i) {
            joints[i] += influences.joints[first + static_cast<std::uint32_t>(i)];
            weights[i] = influences.weights[first + static_cast<std::uint32_t>(i)];
        }
        if (count == 0) { // rigid: follows the node
            joints.x = instance.first_palette + instance.palette_count - 1;
            weights.x = 1.0f;
        }
        if (heaviest_first) put_heaviest_first(joints, weights);
        out.skin4_joints.emplace_back(joints.x | joints.y << 16, joints.z | joints.w << 16);
        out.skin4_weights.push_back(weights);
    }
}

// Marks the vertices that a primitive uses; only those count for bounds.
void mark_used(const scene::Scene& scene, PackedScene& out)
{
    std::vector<std::uint32_t> bits((out.vertices.size() + 31) / 32, 0);
    std::size_t marked = 0;
    for (std::size_t i = 0; i < out.instances.size(); ++i) {
        check_stop();
        const auto& mesh = scene.meshes[out.instances[i].mesh];
        for (const auto& primitive : mesh.primitives)
            for (std::uint32_t k = primitive.first; k < primitive.first + primitive.count; ++k) {
                const auto vertex = out.first_vertex[i] + mesh.indices[k];
                auto& word = bits[vertex / 32];
                marked += (word >> vertex % 32 & 1u) == 0 ? 1 : 0;
                word |= 1u << vertex % 32;
            }
    }
    if (marked == 0) throw RenderError("the scene has nothing to draw");
    if (marked < out.vertices.size()) out.used = std::move(bits);
}

bool needs_tangents(const scene::Scene& scene, std::span<const scene::Instance> instances)
{
    return std::ranges::any_of(instances, [&](const auto& instance) {
        const auto& mesh = scene.meshes[instance.mesh];
        return std::ranges::any_of(mesh.primitives,
                                   [&](const auto& p) { return has_mapped_tangents(scene, mesh, p); });
    });
}

std::uint32_t count_more_uv_sets(const scene::Scene& scene, std::span<const scene::Instance> instances)
{
    auto count = static_cast<std::uint32_t>(scene::first_more_uvs);
    for (const auto& instance : instances)
        for (const auto& primitive : scene.meshes[instance.mesh].primitives)
            if (primitive.material != scene::none)
                count = std::max(count, scene::uv_set_count(scene.materials[primitive.material]));
    return count - static_cast<std::uint32_t>(scene::first_more_uvs);
}

void add_instances(const scene::Scene& scene, PackedScene& out, SkinNPacker& skinN, SkinKind kind,
                   Range& range)
{
    range.first = static_cast<std::uint32_t>(out.vertices.size());
    for (std::size_t i = 0; i < out.instances.size(); ++i) {
        const auto& instance = out.instances[i];
        check_stop();
        if (kind_of(scene, instance) != kind) continue;
        const auto& mesh = scene.meshes[instance.mesh];
        out.first_vertex[i] = static_cast<std::uint32_t>(out.vertices.size());
        add_vertices(mesh, scene.nodes[instance.node].color, out);
        if (kind == SkinKind::skin1) add_skin1(instance, mesh, out);
        if (kind == SkinKind::skin4 || kind == SkinKind::dqs4)
            add_skin4(instance, mesh, kind == SkinKind::dqs4, out);
        if (kind >= SkinKind::skinN) skinN.add(instance, out.first_vertex[i]);
        if (kind == SkinKind::dqsN || kind == SkinKind::dqs4)
            out.dqs_instances.push_back(static_cast<std::uint32_t>(i));
    }
    range.count = static_cast<std::uint32_t>(out.vertices.size()) - range.first;
}

} // namespace

PackedScene pack(const scene::Scene& scene)
{
    PackedScene out;
    out.instances = scene::find_instances(scene);
    const auto vertices = check_size(scene, out.instances);
    out.vertices.reserve(vertices);
    out.attributes.reserve(vertices);
    out.origin = scene::rendering_origin(scene);
    out.first_vertex.resize(out.instances.size());
    out.palette_count = scene::palette_size(out.instances);
    scene::Pose rest;
    scene::static_pose(scene, rest);
    out.weight_count = static_cast<std::uint32_t>(rest.morph_weights.size());
    out.has_tangents = needs_tangents(scene, out.instances);
    out.more_uv_sets = count_more_uv_sets(scene, out.instances);
    out.more_uvs.reserve(vertices * out.more_uv_sets);
    SkinNPacker skinN(scene, rest.first_weight, out);
    add_instances(scene, out, skinN, SkinKind::skin1, out.skin1);
    add_instances(scene, out, skinN, SkinKind::skin4, out.skin4);
    add_instances(scene, out, skinN, SkinKind::dqs4, out.dqs4);
    add_instances(scene, out, skinN, SkinKind::skinN, out.skinN);
    add_instances(scene, out, skinN, SkinKind::dqsN, out.dqsN);
    if (out.skinN.count + out.dqsN.count > 0)
        out.value_count =
            out.weight_count + values_per_frame_blend * static_cast<std::uint32_t>(scene.nodes.size());
    out.has_morphs = !out.deltas.empty();
    out.has_frames = !out.frame_vertices.empty();
    out.has_positions = !out.influence_positions.empty();
    mark_used(scene, out);
    add_draws(scene, out);
    return out;
}

} // namespace vitrine::render
