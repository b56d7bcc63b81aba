#include <array>
#include <cmath>
#include <utility>

#include "loaders/scene/geometry/ear_clipper.hpp"
#include "loaders/scene/geometry/geometry.hpp"

namespace vitrine::scene {
namespace {

// Newell's normal: robust for concave and slightly non-planar polygons, zero for degenerate ones.
glm::dvec3 newell_normal(std::span<const glm::vec3> positions, std::span<const std::uint32_t> corners)
{
    const glm::dvec3 origin(positions[corners[0]]);
    glm::dvec3 normal(0.0);
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const glm::dvec3 a = glm::dvec3(positions[corners[i]]) - origin;
        const glm::dvec3 b = glm::dvec3(positions[corners[(i + 1) % corners.size()]]) - origin;
        normal += glm::cross(a, b);
    }
    return normal;
}

// Projects along the axis with the largest normal component, keeping the polygon counter-clockwise. `out` has
// the length of `corners`.
void project(std::span<const glm::vec3> positions, std::span<const std::uint32_t> corners,
             const glm::dvec3& normal, std::span<glm::dvec2> out)
{
    const glm::dvec3 size = glm::abs(normal);
    const int drop = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    int u = (drop + 1) % 3;
    int v = (drop + 2) % 3;
    if (normal[drop] < 0.0) std::swap(u, v);
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const glm::dvec3 p(positions[corners[i]]);
        out[i] = {p[u], p[v]};
    }
}

void add_fan(std::uint32_t count, std::vector<std::uint32_t>& out)
{
    for (std::uint32_t i = 1; i + 1 < count; ++i)
        out.insert(out.end(), {0u, i, i + 1});
}

// Splits a quad along a diagonal inside it: 0-2, unless corner 1 or 3 is concave.
void add_quad(const std::array<glm::dvec2, 4>& p, std::vector<std::uint32_t>& out)
{
    const bool first =
        doubled_signed_area(p[0], p[1], p[2]) > 0.0 && doubled_signed_area(p[0], p[2], p[3]) > 0.0;
    const bool second =
        doubled_signed_area(p[0], p[1], p[3]) > 0.0 && doubled_signed_area(p[1], p[2], p[3]) > 0.0;
    if (first || !second)
        out.insert(out.end(), {0u, 1u, 2u, 0u, 2u, 3u});
    else
        out.insert(out.end(), {0u, 1u, 3u, 1u, 2u, 3u});
}

bool is_convex(const std::vector<glm::dvec2>& p)
{
    double turned = 0.0; // sum of turning angles: a convex polygon turns once, a star more often
    for (std::size_t i = 0; i < p.size(); ++i) {
        const glm::dvec2& a = p[i];
        const glm::dvec2& b = p[(i + 1) % p.size()];
        const glm::dvec2& c = p[(i + 2) % p.size()];
        const double area = doubled_signed_area(a, b, c);
        if (!(area > 0.0)) return false;
        turned += std::atan2(area, glm::dot(b - a, c - b));
    }
    return turned < 7.0;
}

} // namespace

bool triangulate(std::span<const glm::vec3> positions, std::span<const std::uint32_t> corners,
                 std::vector<std::uint32_t>& triangle_corners)
{
    const auto count = static_cast<std::uint32_t>(corners.size());
    const auto fan = [&] {
        add_fan(count, triangle_corners);
        return true;
    };
    if (count <= 3) return fan();
    const glm::dvec3 normal = newell_normal(positions, corners);
    const double size = glm::length(normal);
    if (!(size > 0.0) || !std::isfinite(size)) return fan();
    if (count == 4) { // the most frequent case: no allocation
        std::array<glm::dvec2, 4> quad;
        project(positions, corners, normal, quad);
        add_quad(quad, triangle_corners);
        return true;
    }
    std::vector<glm::dvec2> points(count);
    project(positions, corners, normal, points);
    if (is_convex(points)) return fan();
    return clip_ears(std::move(points), triangle_corners);
}

} // namespace vitrine::scene
