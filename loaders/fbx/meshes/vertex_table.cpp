#include "loaders/fbx/meshes/vertex_table.hpp"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <span>

#include "loaders/base/srgb.hpp"

namespace vitrine::fbx {
namespace {

// Returns the vertices' positions. Moves the source's when vertices and control points are identical.
std::vector<glm::vec3> positions_of(std::span<const std::uint32_t> vertices, std::vector<glm::vec3> points)
{
    if (std::ranges::equal(vertices, std::views::iota(std::size_t{0}, points.size()))) return points;
    std::vector<glm::vec3> positions;
    io::reserve_large(positions, vertices.size());
    for (const std::uint32_t point : vertices)
        positions.push_back(points[point]);
    return positions;
}

} // namespace

std::vector<std::uint32_t> VertexTable::take_streams(std::vector<glm::vec3> points, scene::Mesh& mesh)
{
    std::vector<std::uint32_t>().swap(heads_);
    std::vector<std::uint32_t>().swap(next_);
    mesh.normals = std::move(normals_);
    mesh.uv0 = std::move(uv0_);
    mesh.uv1 = std::move(uv1_);
    mesh.colors = std::move(colors_);
    mesh.positions = positions_of(control_points_, std::move(points));
    for (glm::vec3& normal : mesh.normals) {
        const float squared = glm::dot(normal, normal);
        if (std::abs(squared - 1.0f) < 4e-7f)
            continue; // already normalized, as in most files; testing is faster
        const float length = std::sqrt(squared);
        if (length > 0.0f && std::isfinite(length)) normal /= length;
    }
    for (glm::vec4& color : mesh.colors) {
        for (glm::length_t c = 0; c < 3; ++c)
            color[c] = linear_from_srgb(std::max(color[c], 0.0f));
        color.w = std::clamp(color.w, 0.0f, 1.0f);
    }
    return std::move(control_points_);
}

} // namespace vitrine::fbx
