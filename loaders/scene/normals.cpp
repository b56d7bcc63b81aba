#include <array>
#include <cassert>
#include <cmath>
#include <unordered_map>

#include "loaders/scene/geometry.hpp"
#include "loaders/scene/triangles.hpp"

namespace vitrine::scene {
namespace {

// Adds each face's unit normal, times its angle there, to the sum of each corner's group.
template <class GroupOf>
void write_normals(Mesh& mesh, std::size_t group_count, GroupOf group_of)
{
    std::vector<glm::dvec3> sums(group_count, glm::dvec3(0.0));
    for_each_triangle(mesh, [&](const Triangle& t) {
        const std::array<glm::dvec3, 3> p{glm::dvec3(mesh.positions[t[0]]), glm::dvec3(mesh.positions[t[1]]),
                                          glm::dvec3(mesh.positions[t[2]])};
        const glm::dvec3 normal = normalized_or(glm::cross(p[1] - p[0], p[2] - p[0]), glm::dvec3(0.0));
        if (normal == glm::dvec3(0.0)) return;
        for (std::size_t c = 0; c < 3; ++c) {
            const double angle = angle_between(p[(c + 1) % 3] - p[c], p[(c + 2) % 3] - p[c]);
            sums[group_of(t[c])] += normal * angle;
        }
    });
    mesh.normals.resize(mesh.positions.size());
    for (std::uint32_t v = 0; v < mesh.normals.size(); ++v)
        mesh.normals[v] = glm::vec3(normalized_or(sums[group_of(v)], glm::dvec3(0.0, 1.0, 0.0)));
}

} // namespace

void compute_normals(Mesh& mesh)
{
    write_normals(mesh, mesh.positions.size(), [](std::uint32_t vertex) { return std::size_t{vertex}; });
}

void compute_normals(Mesh& mesh, std::span<const std::uint32_t> groups)
{
    assert(groups.size() == mesh.positions.size());
    std::unordered_map<std::uint32_t, std::uint32_t> dense;
    std::vector<std::uint32_t> group(groups.size());
    dense.reserve(groups.size());
    for (std::size_t v = 0; v < groups.size(); ++v)
        group[v] = dense.try_emplace(groups[v], static_cast<std::uint32_t>(dense.size())).first->second;
    write_normals(mesh, dense.size(), [&](std::uint32_t vertex) { return std::size_t{group[vertex]}; });
}

} // namespace vitrine::scene
