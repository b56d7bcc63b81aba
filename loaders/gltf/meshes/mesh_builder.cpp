#include "loaders/gltf/meshes/mesh_builder.hpp"

#include <algorithm>

#include "loaders/gltf/meshes/influences.hpp"
#include "loaders/scene/geometry/geometry.hpp"

namespace vitrine::gltf {
namespace {

template <class T>
void append_attribute(scene::Array<T>& to, std::size_t vertices, scene::Array<T>& more, std::size_t count,
                      T neutral)
{
    if (to.empty() && more.empty()) return;
    if (vertices == 0 && !more.empty()) {
        to = std::move(more);
        return;
    }
    to.resize(vertices, neutral);
    to.insert(to.end(), more.begin(), more.end());
    to.resize(vertices + count, neutral);
}

glm::vec3 delta(std::span<const glm::vec3> deltas, std::size_t vertex)
{
    return deltas.empty() ? glm::vec3(0.0f) : deltas[vertex];
}

// Appends the vertices with deltas in the target.
void append_target(scene::MorphTarget& to, const DenseTarget& target, std::uint32_t first_vertex,
                   std::size_t count)
{
    const bool normals = !target.normals.empty() || !to.normal_deltas.empty();
    const bool tangents = !target.tangents.empty() || !to.tangent_deltas.empty();
    if (normals) to.normal_deltas.resize(to.vertices.size());
    if (tangents) to.tangent_deltas.resize(to.vertices.size());
    for (std::size_t v = 0; v < count; ++v) {
        const glm::vec3 p = delta(target.positions, v), n = delta(target.normals, v),
                        t = delta(target.tangents, v);
        if (p == glm::vec3(0.0f) && n == glm::vec3(0.0f) && t == glm::vec3(0.0f)) continue;
        to.vertices.push_back(first_vertex + static_cast<std::uint32_t>(v));
        to.position_deltas.push_back(p);
        if (normals) to.normal_deltas.push_back(n);
        if (tangents) to.tangent_deltas.push_back(t);
    }
}

} // namespace

std::uint32_t MeshBuilder::append(PrimitiveAttributes attributes)
{
    const std::size_t before = vertices();
    const std::size_t count = attributes.positions.size();
    const auto first = static_cast<std::uint32_t>(before);
    if (!attributes.tangents.empty()) given_tangents_.emplace_back(before, before + count);
    gltf::append(mesh_.influences, before, attributes.influences, count);
    append_targets(attributes.targets, first, count);
    append_attribute(mesh_.normals, before, attributes.normals, count, glm::vec3(0.0f, 1.0f, 0.0f));
    append_attribute(mesh_.tangents, before, attributes.tangents, count, glm::vec4(1.0f, 0.0f, 0.0f, 1.0f));
    append_attribute(mesh_.uv0, before, attributes.uv0, count, glm::vec2(0.0f));
    append_attribute(mesh_.uv1, before, attributes.uv1, count, glm::vec2(0.0f));
    append_more_uvs(before, attributes.more_uvs, count);
    append_attribute(mesh_.colors, before, attributes.colors, count, glm::vec4(1.0f));
    append_attribute(mesh_.positions, before, attributes.positions, count, glm::vec3(0.0f));
    return first;
}

void MeshBuilder::append_more_uvs(std::size_t before, std::vector<scene::Array<glm::vec2>>& uvs,
                                  std::size_t count)
{
    mesh_.more_uvs.resize(std::max(mesh_.more_uvs.size(), uvs.size()));
    uvs.resize(mesh_.more_uvs.size());
    for (std::size_t i = 0; i < uvs.size(); ++i)
        append_attribute(mesh_.more_uvs[i], before, uvs[i], count, glm::vec2(0.0f));
}

// Only one target is dense at a time: a file may have many that move few vertices.
LoadResult<std::uint32_t> MeshBuilder::append_flat(const PrimitiveAttributes& attributes,
                                                   const std::vector<std::uint32_t>& corners,
                                                   io::Budget& budget)
{
    PrimitiveAttributes flat = expand(attributes, corners);
    compute_flat_normals(flat);
    auto& targets = mesh_.morph_targets;
    if (targets.size() < attributes.targets.size()) targets.resize(attributes.targets.size());
    for (std::size_t t = 0; t < attributes.targets.size(); ++t) {
        const std::size_t before = targets[t].vertices.size();
        append_target(targets[t], flat_target(flat, attributes.targets[t], corners),
                      static_cast<std::uint32_t>(vertices()), corners.size());
        if (auto taken = budget.take_deltas(targets[t].vertices.size() - before, {}); !taken)
            return std::unexpected(taken.error());
    }
    return append(std::move(flat));
}

void MeshBuilder::append_targets(const std::vector<DenseTarget>& targets, std::uint32_t first_vertex,
                                 std::size_t count)
{
    if (mesh_.morph_targets.size() < targets.size()) mesh_.morph_targets.resize(targets.size());
    for (std::size_t t = 0; t < targets.size(); ++t)
        append_target(mesh_.morph_targets[t], targets[t], first_vertex, count);
}

void MeshBuilder::add_primitive(scene::Primitive primitive, std::vector<std::uint32_t> list,
                                std::uint32_t first_vertex)
{
    primitive.first = static_cast<std::uint32_t>(mesh_.indices.size());
    primitive.count = static_cast<std::uint32_t>(list.size());
    mesh_.primitives.push_back(std::move(primitive));
    if (first_vertex > 0)
        for (std::uint32_t& index : list)
            index += first_vertex;
    if (mesh_.indices.empty())
        mesh_.indices = std::move(list);
    else
        mesh_.indices.insert(mesh_.indices.end(), list.begin(), list.end());
}

void MeshBuilder::complete_tangents(bool wanted)
{
    const bool all_given = given_tangents_.size() == 1 && given_tangents_[0].second == vertices();
    if (!wanted || all_given || mesh_.uv0.empty()) return;
    std::vector<bool> given(given_tangents_.empty() ? 0 : vertices(), false);
    for (const auto& [begin, end] : given_tangents_)
        std::fill(given.begin() + static_cast<std::ptrdiff_t>(begin),
                  given.begin() + static_cast<std::ptrdiff_t>(end), true);
    scene::compute_tangents(mesh_, given);
}

} // namespace vitrine::gltf
