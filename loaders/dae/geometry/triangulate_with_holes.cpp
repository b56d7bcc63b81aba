#include "loaders/dae/geometry/triangulate_with_holes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "loaders/dae/geometry/plane_sweep.hpp"

namespace vitrine::dae {
namespace {

// Returns twice the signed area vector (Newell).
glm::dvec3 area_of(std::span<const glm::vec3> outline)
{
    const glm::dvec3 origin(outline[0]);
    glm::dvec3 sum(0.0);
    for (std::size_t i = 0; i < outline.size(); ++i)
        sum += glm::cross(glm::dvec3(outline[i]) - origin,
                          glm::dvec3(outline[(i + 1) % outline.size()]) - origin);
    return sum;
}

// Projects onto the two coordinates with the largest area, so that the outline is counter-clockwise. These
// are the file's floats, for which the sweep's predicates are nearly exact.
std::vector<glm::dvec2> project(std::span<const glm::vec3> points, const glm::dvec3& normal)
{
    const glm::dvec3 size = glm::abs(normal);
    const int drop = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    int u = (drop + 1) % 3, v = (drop + 2) % 3;
    if (normal[drop] < 0.0) std::swap(u, v);
    std::vector<glm::dvec2> plane;
    plane.reserve(points.size());
    for (const glm::vec3& p : points)
        plane.emplace_back(p[u], p[v]);
    return plane;
}

} // namespace

bool triangulate_with_holes(std::span<const glm::vec3> points, std::span<const std::uint32_t> hole_starts,
                            std::vector<std::uint32_t>& triangles)
{
    const std::size_t outer = hole_starts.empty() ? points.size() : hole_starts[0];
    if (outer < 3) return false;
    const glm::dvec3 normal = area_of(points.first(outer));
    if (!(glm::length(normal) > 0.0) || !std::isfinite(glm::length(normal))) return false;
    PlaneSweep sweep(project(points, normal));
    sweep.add_outline(0, outer, false);
    for (std::size_t h = 0; h < hole_starts.size(); ++h) {
        const std::size_t first = hole_starts[h];
        const std::size_t end = h + 1 < hole_starts.size() ? hole_starts[h + 1] : points.size();
        if (end - first < 3) continue;
        const bool as_outline = glm::dot(area_of(points.subspan(first, end - first)), normal) > 0.0;
        sweep.add_outline(first, end, as_outline);
    }
    return sweep.run(triangles);
}

} // namespace vitrine::dae
