#include "loaders/export/gltf/gltf_mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "loaders/base/unit_vector.hpp"
#include "loaders/export/gltf/glb_container.hpp"
#include "loaders/scene/flat_meshes.hpp"
#include "loaders/scene/uv_sets.hpp"

namespace vitrine::exporting {

namespace {

glm::vec3 perpendicular(const glm::vec3& to)
{
    const glm::vec3 axis = std::abs(to.x) < 0.7f ? glm::vec3(1, 0, 0) : glm::vec3(0, 1, 0);
    return glm::normalize(glm::cross(to, axis));
}

// glTF requires unit normals.
std::vector<glm::vec3> unit_normals(std::span<const glm::vec3> normals)
{
    std::vector<glm::vec3> out(normals.size());
    std::ranges::transform(normals, out.begin(), unit_or_up);
    return out;
}

// The offsets of a target, one per vertex in ascending order; zero offsets are omitted.
struct Deltas {
    std::vector<std::uint32_t> vertices;
    std::vector<glm::vec3> values;
};

Deltas sorted(std::span<const std::uint32_t> vertices, std::span<const glm::vec3> values)
{
    std::vector<std::uint32_t> order(vertices.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::sort(order, {}, [&](std::uint32_t i) { return std::pair(vertices[i], i); });
    Deltas out;
    for (const auto i : order) {
        if (!out.vertices.empty() && out.vertices.back() == vertices[i]) {
            out.values.back() += values[i];
        } else if (values[i] != glm::vec3(0.0f)) {
            out.vertices.push_back(vertices[i]);
            out.values.push_back(values[i]);
        }
    }
    return out;
}

Deltas between(std::span<const glm::vec3> from, std::span<const glm::vec3> to)
{
    Deltas out;
    for (std::uint32_t v = 0; v < from.size(); ++v) {
        if (from[v] == to[v]) continue;
        out.vertices.push_back(v);
        out.values.push_back(to[v] - from[v]);
    }
    return out;
}

// A mapping for each material, with all variants that use it.
void write_variant_mappings(std::vector<scene::VariantMaterial> variants, JsonWriter& json)
{
    if (variants.empty()) return;
    std::ranges::sort(variants, {},
                      [](const auto& entry) { return std::pair(entry.material, entry.variant); });
    json.key("extensions").begin_object().key(variants_extension).begin_object();
    json.key("mappings").begin_array();
    for (std::size_t i = 0; i < variants.size();) {
        const auto material = variants[i].material;
        json.begin_object().member("material", material).key("variants").begin_array();
        for (; i < variants.size() && variants[i].material == material; ++i)
            json.value(variants[i].variant);
        json.end_array().end_object();
    }
    json.end_array().end_object().end_object();
}

std::optional<scene::Mesh> if_flat(const scene::Mesh& mesh)
{
    return scene::is_flat(mesh) ? std::optional(scene::expanded(mesh)) : std::nullopt;
}

std::span<const glm::vec3> frame_of(std::span<const glm::vec3> values, std::size_t frame,
                                    std::size_t vertices)
{
    return values.subspan(frame * vertices, vertices);
}

} // namespace

GltfMesh::GltfMesh(const scene::Scene& scene, std::uint32_t mesh, GltfBuffer& buffer)
    : scene_(scene), expanded_(if_flat(scene.meshes[mesh])),
      mesh_(expanded_ ? *expanded_ : scene.meshes[mesh]), buffer_(buffer), frames_(find_frame_targets(mesh_))
{
    empty_ = std::ranges::all_of(mesh_.primitives, [](const auto& p) { return p.count == 0; });
    if (empty_) return;
    write_streams();
    write_targets();
    for (const auto& primitive : mesh_.primitives) {
        const auto indices = std::span(mesh_.indices).subspan(primitive.first, primitive.count);
        indices_.push_back(indices.empty() ? std::nullopt : std::optional(buffer_.indices(indices)));
    }
}

// Textures require their UV sets; sets that the mesh lacks are written as zeros.
std::uint32_t GltfMesh::uv_sets() const
{
    std::uint32_t sets = scene::uv_set_count(mesh_);
    const auto look_at = [&](std::uint32_t material) {
        if (material != scene::none) sets = std::max(sets, scene::uv_set_count(scene_.materials[material]));
    };
    for (const auto& primitive : mesh_.primitives) {
        look_at(primitive.material);
        for (const auto& entry : primitive.variants)
            look_at(entry.material);
    }
    return sets;
}

void GltfMesh::write_uvs()
{
    const std::uint32_t sets = uv_sets();
    for (std::uint32_t set = 0; set < sets; ++set) {
        const auto& uv = scene::uvs_of(mesh_, set);
        const auto count = static_cast<std::uint32_t>(mesh_.positions.size());
        attributes_.emplace_back(fmt::format("TEXCOORD_{}", set),
                                 uv.empty() ? buffer_.zeros(count, "VEC2") : buffer_.vec2s(uv));
    }
}

void GltfMesh::write_tangents(std::span<const glm::vec3> normals)
{
    if (mesh_.tangents.empty()) return;
    std::vector<glm::vec4> tangents(mesh_.tangents.size());
    for (std::size_t v = 0; v < tangents.size(); ++v) {
        const glm::vec4& t = mesh_.tangents[v];
        tangents[v] = {unit_or(glm::vec3(t), perpendicular(normals[v])), t.w < 0.0f ? -1.0f : 1.0f};
    }
    attributes_.emplace_back("TANGENT", buffer_.vec4s(tangents));
}

void GltfMesh::write_streams()
{
    const std::size_t n = mesh_.positions.size();
    const bool framed = mesh_.frames.count > 0;
    const auto positions = framed ? frame_of(mesh_.frames.positions, 0, n) : std::span(mesh_.positions);
    const auto normals = unit_normals(framed ? frame_of(mesh_.frames.normals, 0, n) : mesh_.normals);
    attributes_.emplace_back("POSITION", buffer_.positions(positions));
    attributes_.emplace_back("NORMAL", buffer_.vec3s(normals));
    write_tangents(normals);
    write_uvs();
    if (mesh_.colors.empty()) return;
    std::vector<glm::vec4> colors(n); // glTF limits colors to 0 .. 1
    std::ranges::transform(mesh_.colors, colors.begin(),
                           [](const glm::vec4& c) { return glm::clamp(c, 0.0f, 1.0f); });
    attributes_.emplace_back("COLOR_0", buffer_.vec4s(colors));
}

GltfMesh::Accessors GltfMesh::write_frame_target(std::uint32_t frame)
{
    const std::size_t n = mesh_.positions.size();
    const auto count = static_cast<std::uint32_t>(n);
    const auto moved =
        between(frame_of(mesh_.frames.positions, 0, n), frame_of(mesh_.frames.positions, frame, n));
    const auto turned = between(unit_normals(frame_of(mesh_.frames.normals, 0, n)),
                                unit_normals(frame_of(mesh_.frames.normals, frame, n)));
    Accessors out;
    out.emplace_back("POSITION", buffer_.sparse(count, moved.vertices, moved.values, true));
    out.emplace_back("NORMAL", buffer_.sparse(count, turned.vertices, turned.values, false));
    return out;
}

GltfMesh::Accessors GltfMesh::write_morph_target(const scene::MorphTarget& target)
{
    Accessors out;
    const auto count = static_cast<std::uint32_t>(mesh_.positions.size());
    const auto write = [&](const char* name, std::span<const glm::vec3> deltas, bool with_range) {
        const auto moved = sorted(target.vertices, deltas);
        out.emplace_back(name, buffer_.sparse(count, moved.vertices, moved.values, with_range));
    };
    write("POSITION", target.position_deltas, true);
    if (!target.normal_deltas.empty()) write("NORMAL", target.normal_deltas, false);
    if (!target.tangent_deltas.empty() && !mesh_.tangents.empty())
        write("TANGENT", target.tangent_deltas, false);
    return out;
}

void GltfMesh::write_targets()
{
    for (const auto frame : frames_.frame)
        targets_.push_back(write_frame_target(frame));
    for (const auto& target : mesh_.morph_targets)
        targets_.push_back(write_morph_target(target));
}

// Writes JOINTS_n and WEIGHTS_n, four influences per set, padded with zeros, and the dual quaternion weights
// as an application-specific attribute that Vitrine's loader reads. The vertex with the most influences
// determines the number of sets.
LoadResult<std::string> GltfMesh::influence_sets(const GltfJoints& joints, InfluenceLosses& losses)
{
    const auto weights = joint_weights(mesh_, joints, losses);
    constexpr std::uint64_t set_bytes = sizeof(glm::u16vec4) + sizeof(glm::vec4); // per vertex
    if (buffer_.size() + weights.sets * mesh_.positions.size() * set_bytes > max_glb_bytes)
        return glb_size_error();
    std::string out;
    for (std::size_t set = 0; set < weights.sets; ++set) {
        const auto [set_joints, set_weights] = influence_set(weights, set);
        const auto joints_at = buffer_.joints(set_joints), weights_at = buffer_.vec4s(set_weights);
        out += fmt::format(",\"JOINTS_{}\":{},\"WEIGHTS_{}\":{}", set, joints_at, set, weights_at);
    }
    if (const auto& dual = mesh_.influences.dual_quaternion_weights; !dual.empty())
        out += fmt::format(",\"_DUAL_QUATERNION_WEIGHT\":{}", buffer_.scalars(dual));
    return out;
}

void write_target_names(const FrameTargets& frames, const scene::Mesh& mesh, JsonWriter& json)
{
    json.key("extras").begin_object().key("targetNames").begin_array();
    for (const auto frame : frames.frame)
        json.value(std::string_view(fmt::format("frame {}", frame)));
    for (const auto& target : mesh.morph_targets)
        json.value(std::string_view(target.name));
    json.end_array().end_object();
}

GltfMesh::VertexTexts GltfMesh::vertex_texts(const std::string& influences, bool has_normals) const
{
    const auto members = [&](const Accessors& accessors) {
        std::string out;
        for (const auto& [name, accessor] : accessors)
            if (has_normals || (name != "NORMAL" && name != "TANGENT"))
                out += fmt::format("{}\"{}\":{}", out.empty() ? "" : ",", name, accessor);
        return out;
    };
    VertexTexts out{"{" + members(attributes_) + influences + "}", {}};
    for (const auto& target : targets_)
        out.targets += fmt::format("{}{{{}}}", out.targets.empty() ? "[" : ",", members(target));
    if (!targets_.empty()) out.targets += ']';
    return out;
}

void GltfMesh::write_primitive(std::size_t number, const VertexTexts& vertices, std::uint32_t material,
                               JsonWriter& json) const
{
    constexpr std::array<std::uint32_t, 3> modes{4, 1, 0}; // TRIANGLES, LINES, POINTS by Topology
    json.begin_object().key("attributes").json(vertices.attributes).member("indices", *indices_[number]);
    json.member("mode", modes[static_cast<std::size_t>(mesh_.primitives[number].topology)]);
    if (material != scene::none) json.member("material", material);
    if (!targets_.empty()) json.key("targets").json(vertices.targets);
    write_variant_mappings(mesh_.primitives[number].variants, json);
    json.end_object();
}

LoadResult<std::string> GltfMesh::write(const GltfJoints* joints, const glm::vec4& color,
                                        GltfMaterialTable& materials, InfluenceLosses& losses)
{
    std::string influences;
    if (joints) {
        auto sets = influence_sets(*joints, losses);
        if (!sets) return sets;
        influences = std::move(*sets);
    }
    const auto lit = vertex_texts(influences, true), unlit = vertex_texts(influences, false);
    // Each primitive repeats all attributes and targets of the mesh.
    if (indices_.size() * lit.size() > JsonWriter::max_bytes) return json_size_error();
    JsonWriter json;
    json.begin_object().member("name", std::string_view(mesh_.name));
    json.key("primitives").begin_array();
    for (std::size_t p = 0; p < indices_.size(); ++p) {
        const auto& primitive = mesh_.primitives[p];
        if (!indices_[p]) continue;
        // Lines and points without normals are written without NORMAL: they are not lit.
        const bool is_lit = primitive.topology == scene::Topology::triangles || primitive.has_normals;
        write_primitive(p, is_lit ? lit : unlit, materials.index(primitive.material, color), json);
    }
    json.end_array();
    if (!targets_.empty()) {
        std::vector<float> weights(frames_.frame.size(), 0.0f);
        weights.insert(weights.end(), mesh_.morph_weights.begin(), mesh_.morph_weights.end());
        json.member("weights", std::span<const float>(weights));
        write_target_names(frames_, mesh_, json);
    }
    return json.end_object().take();
}

} // namespace vitrine::exporting
