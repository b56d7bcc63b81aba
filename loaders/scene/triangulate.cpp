#include <algorithm>
#include <cassert>
#include <cmath>

#include "loaders/scene/geometry.hpp"

namespace vitrine::scene {
namespace {

// Point-in-triangle tests that one polygon may cost: linear in its size, with room for the small ones. What
// is left of a polygon that needs more (thousands of concave corners) is closed as a fan.
constexpr std::size_t tests_per_corner = 2048;

// Twice the signed area, counter-clockwise positive.
double cross(const glm::dvec2& a, const glm::dvec2& b, const glm::dvec2& c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Newell's normal: robust for concave and slightly bent polygons, zero for degenerate ones.
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

// Drops the axis along which the normal is longest, keeping the polygon counter-clockwise.
std::vector<glm::dvec2> project(std::span<const glm::vec3> positions, std::span<const std::uint32_t> corners,
                                const glm::dvec3& normal)
{
    const glm::dvec3 size = glm::abs(normal);
    const int drop = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    int u = (drop + 1) % 3;
    int v = (drop + 2) % 3;
    if (normal[drop] < 0.0) std::swap(u, v);
    std::vector<glm::dvec2> out(corners.size());
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const glm::dvec3 p(positions[corners[i]]);
        out[i] = {p[u], p[v]};
    }
    return out;
}

void add_fan(std::uint32_t count, std::vector<std::uint32_t>& out)
{
    for (std::uint32_t i = 1; i + 1 < count; ++i)
        out.insert(out.end(), {0u, i, i + 1});
}

// A polygon of four corners is split along a diagonal that lies inside it: 0-2, unless corner 1 or 3 is
// concave.
void add_quad(const std::vector<glm::dvec2>& p, std::vector<std::uint32_t>& out)
{
    const bool first = cross(p[0], p[1], p[2]) > 0.0 && cross(p[0], p[2], p[3]) > 0.0;
    const bool second = cross(p[0], p[1], p[3]) > 0.0 && cross(p[1], p[2], p[3]) > 0.0;
    if (first || !second)
        out.insert(out.end(), {0u, 1u, 2u, 0u, 2u, 3u});
    else
        out.insert(out.end(), {0u, 1u, 3u, 1u, 2u, 3u});
}

bool is_convex(const std::vector<glm::dvec2>& p)
{
    double turned = 0.0; // a convex polygon turns once; a star turns more often
    for (std::size_t i = 0; i < p.size(); ++i) {
        const glm::dvec2& a = p[i];
        const glm::dvec2& b = p[(i + 1) % p.size()];
        const glm::dvec2& c = p[(i + 2) % p.size()];
        const double area = cross(a, b, c);
        if (!(area > 0.0)) return false;
        turned += std::atan2(area, glm::dot(b - a, c - b));
    }
    return turned < 7.0;
}

// The polygon that is left, as a ring of its corners.
class EarClipper {
public:
    EarClipper(std::vector<glm::dvec2> points, std::vector<std::uint32_t>& out)
        : points_(std::move(points)), out_(out), tests_left_(points_.size() * tests_per_corner)
    {
        const auto n = static_cast<std::uint32_t>(points_.size());
        for (std::uint32_t i = 0; i < n; ++i) {
            next_.push_back((i + 1) % n);
            previous_.push_back((i + n - 1) % n);
        }
        for (std::uint32_t i = 0; i < n; ++i) {
            if (area(i) <= 0.0) reflex_.push_back(i);
        }
        left_ = n;
    }

    void run()
    {
        std::uint32_t at = 0;
        std::uint32_t misses = 0; // corners looked at since the last cut
        while (left_ > 3) {
            const bool stuck = misses >= left_;
            if (stuck ? is_flat(at) || misses >= 2 * left_ : is_ear(at)) {
                at = next_[cut(at)]; // skipping one gives rounder triangles than cutting in order
                misses = 0;
            } else {
                ++misses;
                at = next_[at];
            }
        }
        emit(at);
    }

private:
    double area(std::uint32_t i) const { return cross(points_[previous_[i]], points_[i], points_[next_[i]]); }

    // When no ear is left (touching or crossing outlines) corners without area go first, then any.
    bool is_flat(std::uint32_t i) const { return area(i) == 0.0; }

    bool is_ear(std::uint32_t i)
    {
        if (!(area(i) > 0.0)) return false;
        const glm::dvec2& a = points_[previous_[i]];
        const glm::dvec2& b = points_[i];
        const glm::dvec2& c = points_[next_[i]];
        for (std::size_t r = 0; r < reflex_.size() && tests_left_ > 0;) {
            const std::uint32_t other = reflex_[r];
            if (!is_reflex(other)) { // cut off, or convex by now and convex for good
                reflex_[r] = reflex_.back();
                reflex_.pop_back();
                continue;
            }
            --tests_left_;
            ++r;
            const glm::dvec2& p = points_[other];
            if (p == a || p == b || p == c) continue;
            if (cross(a, b, p) >= 0.0 && cross(b, c, p) >= 0.0 && cross(c, a, p) >= 0.0) return false;
        }
        return true;
    }

    bool is_reflex(std::uint32_t i) const { return next_[i] != i && area(i) <= 0.0; }

    void emit(std::uint32_t i) { out_.insert(out_.end(), {previous_[i], i, next_[i]}); }

    // Returns the corner after it.
    std::uint32_t cut(std::uint32_t i)
    {
        emit(i);
        const std::uint32_t after = next_[i];
        next_[previous_[i]] = after;
        previous_[after] = previous_[i];
        next_[i] = i; // marks it as gone
        --left_;
        return after;
    }

    std::vector<glm::dvec2> points_;
    std::vector<std::uint32_t>& out_;
    std::size_t tests_left_;
    std::vector<std::uint32_t> next_;
    std::vector<std::uint32_t> previous_;
    std::vector<std::uint32_t> reflex_;
    std::uint32_t left_ = 0;
};

} // namespace

void triangulate(std::span<const glm::vec3> positions, std::span<const std::uint32_t> corners,
                 std::vector<std::uint32_t>& triangle_corners)
{
    const auto count = static_cast<std::uint32_t>(corners.size());
    if (count < 3) return;
    if (count == 3) return add_fan(count, triangle_corners);
    const glm::dvec3 normal = newell_normal(positions, corners);
    const double size = glm::length(normal);
    if (!(size > 0.0) || !std::isfinite(size)) return add_fan(count, triangle_corners);
    std::vector<glm::dvec2> points = project(positions, corners, normal);
    if (count == 4) return add_quad(points, triangle_corners);
    if (is_convex(points)) return add_fan(count, triangle_corners);
    EarClipper(std::move(points), triangle_corners).run();
}

} // namespace vitrine::scene
