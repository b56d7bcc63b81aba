#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "loaders/scene/geometry.hpp"
#include "loaders/scene/triangles.hpp"

namespace vitrine::scene {
namespace {

// Directions of increasing u, apart for faces that show the texture as it is and mirrored.
struct TangentSum {
    std::array<glm::dvec3, 2> direction{glm::dvec3(0.0), glm::dvec3(0.0)};
    std::array<double, 2> weight{};
};

glm::dvec3 in_plane(const glm::dvec3& v, const glm::dvec3& normal)
{
    return v - normal * glm::dot(normal, v);
}

// One face's share: the direction of increasing u, in each corner's tangent plane, weighted by the corner's
// angle in that plane. v runs down in uv0 and up in tangent space.
void add_face(const Mesh& mesh, const Triangle& t, std::vector<TangentSum>& sums)
{
    const auto position = [&](std::size_t i) { return glm::dvec3(mesh.positions[t[i % 3]]); };
    const glm::dvec2 uv0(mesh.uv0[t[0]]), uv1(mesh.uv0[t[1]]), uv2(mesh.uv0[t[2]]);
    const double du1 = uv1.x - uv0.x, dv1 = uv0.y - uv1.y, du2 = uv2.x - uv0.x, dv2 = uv0.y - uv2.y;
    const double area = du1 * dv2 - du2 * dv1;
    if (area == 0.0) return;
    const glm::dvec3 along =
        ((position(1) - position(0)) * dv2 - (position(2) - position(0)) * dv1) * (area < 0.0 ? -1.0 : 1.0);
    const std::size_t side = area < 0.0 ? 1 : 0;
    for (std::size_t c = 0; c < 3; ++c) {
        const glm::dvec3 normal(mesh.normals[t[c]]);
        const glm::dvec3 direction = normalized_or(in_plane(along, normal), glm::dvec3(0.0));
        const double angle = angle_between(in_plane(position(c + 1) - position(c), normal),
                                           in_plane(position(c + 2) - position(c), normal));
        sums[t[c]].direction[side] += direction * angle;
        sums[t[c]].weight[side] += angle;
    }
}

glm::dvec3 any_tangent(const glm::dvec3& normal)
{
    const glm::dvec3 axis = std::abs(normal.x) < 0.9 ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 0, 1);
    return normalized_or(in_plane(axis, normal), glm::dvec3(1, 0, 0));
}

} // namespace

void compute_tangents(Mesh& mesh)
{
    const std::size_t count = mesh.positions.size();
    if (mesh.normals.size() != count || mesh.uv0.size() != count) return;
    std::vector<TangentSum> sums(count);
    for_each_triangle(mesh, [&](const Triangle& t) { add_face(mesh, t, sums); });
    mesh.tangents.resize(count);
    for (std::size_t v = 0; v < count; ++v) {
        const std::size_t side = sums[v].weight[1] > sums[v].weight[0] ? 1 : 0;
        const glm::dvec3 tangent =
            normalized_or(sums[v].direction[side], any_tangent(glm::dvec3(mesh.normals[v])));
        mesh.tangents[v] = glm::vec4(glm::vec3(tangent), side == 1 ? -1.0f : 1.0f);
    }
}

void flip_winding(Mesh& mesh)
{
    for_each_triangle_at(mesh, [&](std::size_t i) { std::swap(mesh.indices[i + 1], mesh.indices[i + 2]); });
}

} // namespace vitrine::scene
