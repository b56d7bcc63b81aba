#include "vk_renderer/mesh/split_sides.hpp"

#include "vk_renderer/mesh/connected_components.hpp"

namespace vitrine::render {
namespace {

// Returns a value with opposite signs for a triangle and its back: its projected area in one direction, plus
// its volume relative to the center for closed or symmetric parts.
double side_of(const scene::Mesh& mesh, std::span<const std::uint32_t> t, const glm::dvec3& center)
{
    const glm::dvec3 from{0.61, 0.53, 0.59}; // not aligned with an axis or diagonal
    const glm::dvec3 a(mesh.positions[t[0]]), b(mesh.positions[t[1]]), c(mesh.positions[t[2]]);
    const glm::dvec3 out = (a + b + c) / 3.0 - center;
    return glm::dot(glm::cross(b - a, c - a), from * glm::length(out) + out);
}

} // namespace

Sides split_sides(const scene::Mesh& mesh, std::span<const std::uint32_t> triangles)
{
    const auto parts = components_by_vertex(triangles);
    glm::dvec3 center{0.0};
    for (const auto vertex : triangles)
        center += glm::dvec3(mesh.positions[vertex]) / static_cast<double>(triangles.size());
    std::vector<double> faces(parts.count, 0.0); // by part
    for (std::size_t t = 0; t < parts.of.size(); ++t)
        faces[parts.of[t]] += side_of(mesh, triangles.subspan(3 * t, 3), center);
    Sides sides;
    for (std::size_t t = 0; t < parts.of.size(); ++t) {
        auto& side = faces[parts.of[t]] >= 0.0 ? sides.one : sides.other;
        for (const auto vertex : triangles.subspan(3 * t, 3))
            side.push_back(vertex);
    }
    return sides;
}

} // namespace vitrine::render
