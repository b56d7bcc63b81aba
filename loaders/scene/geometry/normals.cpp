#include <algorithm>
#include <array>
#include <cassert>
#include <unordered_map>

#include "loaders/base/unit_vector.hpp"
#include "loaders/scene/geometry/geometry.hpp"
#include "loaders/scene/geometry/triangle_measure.hpp"
#include "loaders/scene/geometry/triangles.hpp"

namespace vitrine::scene {
namespace {

// Adds each face's unit normal, multiplied by the angle at the corner, to the sum of each corner's group.
template <class GroupOf>
void write_normals(Mesh& mesh, std::size_t group_count, GroupOf group_of)
{
    std::vector<glm::dvec3> sums(group_count, glm::dvec3(0.0));
    for_each_triangle(mesh, [&](const Triangle& t) {
        const std::array groups{group_of(t[0]), group_of(t[1]), group_of(t[2])};
        if (std::ranges::all_of(groups, [](std::uint32_t group) { return group == none; })) return;
        const TriangleMeasure face =
            measure_triangle(glm::dvec3(mesh.positions[t[0]]), glm::dvec3(mesh.positions[t[1]]),
                             glm::dvec3(mesh.positions[t[2]]));
        for (std::size_t c = 0; c < 3; ++c)
            if (groups[c] != none) sums[groups[c]] += face.normal * face.angles[c];
    });
    mesh.normals.resize(mesh.positions.size());
    for (std::uint32_t v = 0; v < mesh.normals.size(); ++v) {
        if (const std::uint32_t group = group_of(v); group != none)
            mesh.normals[v] = glm::vec3(unit_or(sums[group], glm::dvec3(0.0, 1.0, 0.0)));
    }
}

} // namespace

void compute_normals(Mesh& mesh)
{
    write_normals(mesh, mesh.positions.size(), [](std::uint32_t vertex) { return vertex; });
}

void compute_normals(Mesh& mesh, std::span<const std::uint32_t> groups)
{
    assert(groups.size() == mesh.positions.size());
    std::size_t ids = 0;
    for (const std::uint32_t group : groups)
        if (group != none) ids = std::max(ids, std::size_t{group} + 1);
    if (ids == 0) return mesh.normals.resize(mesh.positions.size());
    if (ids <= 4 * groups.size() + 1024) // most loaders use position indices, without large gaps
        return write_normals(mesh, ids, [&](std::uint32_t vertex) { return groups[vertex]; });
    std::unordered_map<std::uint32_t, std::uint32_t> dense{{none, none}};
    std::vector<std::uint32_t> group(groups.size());
    dense.reserve(groups.size() + 1);
    for (std::size_t v = 0; v < groups.size(); ++v)
        group[v] = dense.try_emplace(groups[v], static_cast<std::uint32_t>(dense.size() - 1)).first->second;
    write_normals(mesh, dense.size() - 1, [&](std::uint32_t vertex) { return group[vertex]; });
}

} // namespace vitrine::scene
