// After the cones of normals by which clusters of triangles are culled: Shirman and Abi-Ezzi, "The Cone of
// Normals Technique for Fast Processing of Curved Patches" (1993).
#include "vk_renderer/scene/facing.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace vitrine::render {
namespace {

constexpr double widest = 0.1; // cosine of the widest angle between a triangle's normal and the axis

constexpr double most_opposed = 2.0 * widest * widest - 1.0; // cosine between two of them: a body ends soon

struct Plane {
    glm::dvec3 point, normal;
};

// None where two triangles face each other's backs, or nearly.
std::vector<Plane> planes_of(const scene::Mesh& mesh, std::span<const std::uint32_t> triangles)
{
    std::vector<Plane> planes;
    planes.reserve(triangles.size() / 3);
    for (std::size_t t = 0; t + 2 < triangles.size(); t += 3) {
        const glm::dvec3 a(mesh.positions[triangles[t]]), b(mesh.positions[triangles[t + 1]]),
            c(mesh.positions[triangles[t + 2]]);
        const auto normal = glm::cross(b - a, c - a);
        const double size = glm::length(normal);
        if (!(size > 0.0)) continue;
        planes.push_back({a, normal / size});
        if (glm::dot(planes.back().normal, planes.front().normal) < most_opposed) return {};
    }
    return planes;
}

} // namespace

std::optional<Facing> facing_of(const scene::Mesh& mesh, std::span<const std::uint32_t> triangles)
{
    const auto planes = planes_of(mesh, triangles);
    glm::dvec3 sum(0.0), middle(0.0);
    for (const auto& plane : planes) {
        sum += plane.normal;
        middle += plane.point / static_cast<double>(planes.size());
    }
    const double size = glm::length(sum);
    if (!(size > 0.0) || !std::isfinite(size)) return std::nullopt;
    const auto axis = sum / size;
    double narrowest = 1.0, deepest = 0.0;
    for (const auto& plane : planes) {
        const double along = glm::dot(plane.normal, axis);
        if (!(along > widest)) return std::nullopt;
        narrowest = std::min(narrowest, along);
        deepest = std::max(deepest, glm::dot(middle - plane.point, plane.normal) / along);
    }
    return Facing{middle - deepest * axis, axis, std::sqrt(1.0 - narrowest * narrowest)};
}

bool shows_backs_alone(const Facing& facing, const scene::PaletteEntry& moved_by, const Eye& eye)
{
    glm::dmat3 turned;
    glm::dvec3 placed;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c)
            turned[c][r] = double{moved_by.row[r][c]};
        placed[r] = double{moved_by.row[r].w};
    }
    if (!(std::abs(glm::determinant(turned)) > 0.0)) return false;
    const auto back = glm::inverse(turned);
    const auto way = eye.from_one_point ? facing.apex - back * (eye.place - placed) : back * eye.direction;
    return glm::dot(way, facing.axis) > facing.cutoff * glm::length(way);
}

} // namespace vitrine::render
