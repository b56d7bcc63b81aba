#include "loaders/export/gltf_mesh.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <glm/gtc/type_precision.hpp>

namespace vitrine::exporting {

namespace {

// Influences 4 * set .. 4 * set + 3 of each vertex, zeros where it has fewer.
struct InfluenceSet {
    std::vector<glm::u16vec4> joints;
    std::vector<glm::vec4> weights;
};

float total_weight(const scene::Influences& influences, std::size_t vertex)
{
    float total = 0.0f;
    for (auto i = influences.first[vertex]; i < influences.first[vertex + 1]; ++i)
        total += influences.weights[i];
    return total;
}

InfluenceSet influence_set(const scene::Mesh& mesh, std::uint32_t set, std::uint16_t follow)
{
    const auto& influences = mesh.influences;
    const auto count = mesh.positions.size();
    InfluenceSet out{std::vector(count, glm::u16vec4(0)), std::vector(count, glm::vec4(0))};
    for (std::size_t v = 0; v < count; ++v) {
        const float total = total_weight(influences, v);
        if (total <= 0.0f) {
            if (set == 0) out.joints[v].x = follow, out.weights[v].x = 1.0f;
            continue;
        }
        const auto first = influences.first[v] + 4 * set;
        for (auto i = first; i < std::min(influences.first[v + 1], first + 4); ++i) {
            if (influences.weights[i] <= 0.0f)
                continue; // the joint of a zero weight stays zero, as glTF asks
            out.joints[v][static_cast<int>(i - first)] = influences.joints[i];
            out.weights[v][static_cast<int>(i - first)] = influences.weights[i] / total;
        }
    }
    return out;
}

std::uint32_t influence_sets(const scene::Influences& influences)
{
    std::uint32_t most = 1;
    for (std::size_t v = 0; v + 1 < influences.first.size(); ++v)
        most = std::max(most, influences.first[v + 1] - influences.first[v]);
    return (most + 3) / 4;
}

std::string write_attributes(const scene::Mesh& mesh, bool skinned, std::uint16_t follow, GltfBuffer& buffer)
{
    JsonWriter json;
    json.begin_object();
    json.member("POSITION", buffer.positions(mesh.positions));
    json.member("NORMAL", buffer.vec3s(mesh.normals));
    if (!mesh.tangents.empty()) json.member("TANGENT", buffer.vec4s(mesh.tangents));
    if (!mesh.uv0.empty()) json.member("TEXCOORD_0", buffer.vec2s(mesh.uv0));
    if (!mesh.uv1.empty()) json.member("TEXCOORD_1", buffer.vec2s(mesh.uv1));
    if (!mesh.colours.empty()) json.member("COLOR_0", buffer.vec4s(mesh.colours));
    const auto sets = skinned && !mesh.influences.first.empty() ? influence_sets(mesh.influences) : 0;
    for (std::uint32_t set = 0; set < sets; ++set) {
        const auto [joints, weights] = influence_set(mesh, set, follow);
        json.member(fmt::format("JOINTS_{}", set), buffer.joints(joints));
        json.member(fmt::format("WEIGHTS_{}", set), buffer.vec4s(weights));
    }
    return json.end_object().take();
}

std::string write_targets(const scene::Mesh& mesh, GltfBuffer& buffer)
{
    JsonWriter json;
    json.begin_array();
    const auto count = static_cast<std::uint32_t>(mesh.positions.size());
    for (const auto& target : mesh.morph_targets) {
        json.begin_object();
        json.member("POSITION", buffer.sparse(count, target.vertices, target.position_deltas, true));
        if (!target.normal_deltas.empty())
            json.member("NORMAL", buffer.sparse(count, target.vertices, target.normal_deltas, false));
        json.end_object();
    }
    return json.end_array().take();
}

void write_target_names(const scene::Mesh& mesh, JsonWriter& json)
{
    json.key("extras").begin_object().key("targetNames").begin_array();
    for (const auto& target : mesh.morph_targets)
        json.value(std::string_view(target.name));
    json.end_array().end_object();
}

} // namespace

bool has_loose_vertices(const scene::Mesh& mesh)
{
    for (std::size_t v = 0; v + 1 < mesh.influences.first.size(); ++v)
        if (total_weight(mesh.influences, v) <= 0.0f) return true;
    return false;
}

std::string write_gltf_mesh(const scene::Mesh& mesh, bool skinned, std::uint16_t follow, GltfBuffer& buffer)
{
    constexpr std::uint32_t modes[] = {4, 1, 0}; // TRIANGLES, LINES, POINTS by Topology
    const auto attributes = write_attributes(mesh, skinned, follow, buffer);
    const auto targets = write_targets(mesh, buffer);
    JsonWriter json;
    json.begin_object().member("name", std::string_view(mesh.name)).key("primitives").begin_array();
    for (const auto& primitive : mesh.primitives) {
        const auto indices = std::span(mesh.indices).subspan(primitive.first, primitive.count);
        json.begin_object().key("attributes").json(attributes).member("indices", buffer.indices(indices));
        json.member("mode", modes[static_cast<std::size_t>(primitive.topology)]);
        if (primitive.material != scene::none) json.member("material", primitive.material);
        if (!mesh.morph_targets.empty()) json.key("targets").json(targets);
        json.end_object();
    }
    json.end_array();
    if (!mesh.morph_weights.empty()) json.member("weights", std::span<const float>(mesh.morph_weights));
    if (!mesh.morph_targets.empty()) write_target_names(mesh, json);
    return json.end_object().take();
}

} // namespace vitrine::exporting
