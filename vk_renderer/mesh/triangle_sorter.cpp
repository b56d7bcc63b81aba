#include "vk_renderer/mesh/triangle_sorter.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace vitrine::render {
namespace {

constexpr std::size_t max_convex_corners = 3 * 64; // each is tested against each triangle
constexpr double relative_tolerance = 1e-5;        // relative to the size of the part

float distance_of(glm::vec3 center, const scene::PaletteEntry& moved_by, glm::vec3 direction)
{
    const auto& row = moved_by.row;
    const glm::vec4 at(center, 1.0f);
    const float distance =
        glm::dot(direction, glm::vec3(glm::dot(row[0], at), glm::dot(row[1], at), glm::dot(row[2], at)));
    return std::isnan(distance) ? 0.0f : distance; // a NaN would break the strict weak order
}

} // namespace

bool is_convex(const scene::Mesh& mesh, std::span<const std::uint32_t> triangles)
{
    if (triangles.size() > max_convex_corners) return false;
    const auto at = [&](std::uint32_t vertex) { return glm::dvec3(mesh.positions[vertex]); };
    double size = 0.0;
    for (const auto vertex : triangles)
        size = std::max(size, glm::distance(at(vertex), at(triangles[0])));
    for (std::size_t t = 0; t + 2 < triangles.size(); t += 3) {
        const auto a = at(triangles[t]);
        const auto normal = glm::cross(at(triangles[t + 1]) - a, at(triangles[t + 2]) - a);
        const double max_distance = relative_tolerance * size * glm::length(normal);
        if (std::ranges::any_of(triangles,
                                [&](auto vertex) { return glm::dot(at(vertex) - a, normal) > max_distance; }))
            return false;
    }
    return true;
}

void TriangleSorter::put(std::span<const BlendedTriangle> triangles, std::span<const glm::vec3> centers,
                         std::span<const scene::PaletteEntry> palette, glm::vec3 direction,
                         std::span<std::uint32_t> out)
{
    assert(out.size() == 3 * triangles.size());
    assert(centers.empty() || centers.size() == triangles.size());
    order_.clear();
    for (std::uint32_t t = 0; t < triangles.size(); ++t)
        order_.emplace_back(-distance_of(centers.empty() ? triangles[t].center : centers[t],
                                         palette[triangles[t].palette_entry], direction),
                            t);
    std::ranges::sort(order_);
    auto to = out.begin();
    for (const auto& [edge_tolerance, t] : order_)
        to = std::ranges::copy(triangles[t].corners, to).out;
}

} // namespace vitrine::render
