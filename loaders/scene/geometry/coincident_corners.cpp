#include "loaders/scene/geometry/ear_clipper.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace vitrine::scene {
namespace {

constexpr double two_pi = 2.0 * std::numbers::pi;
constexpr double parallel_angle = 1e-9; // radians; edges with a smaller angle are parallel
constexpr std::size_t max_corners = 16; // at one position; further corners are ignored

// The interior angle at one corner. Radians, counter-clockwise from the angle in question.
struct Wedge {
    double from = 0.0, width = 0.0;
};

double positive_angle(double angle)
{
    return angle < 0.0 ? angle + two_pi : angle;
}

double counterclockwise_angle(const glm::dvec2& u, const glm::dvec2& v)
{
    return positive_angle(std::atan2(u.x * v.y - u.y * v.x, glm::dot(u, v)));
}

// Wedges and edges at one position.
struct CornerFan {
    std::array<Wedge, max_corners> wedges;
    std::array<double, 2 * max_corners> edges; // angles
    std::size_t wedge_count = 0, edge_count = 0;

    std::span<double> all_edges() { return std::span(edges).first(edge_count); }
    std::size_t insides_at(double angle) const
    {
        return static_cast<std::size_t>(
            std::ranges::count_if(std::span(wedges).first(wedge_count),
                                  [&](const Wedge& w) { return positive_angle(angle - w.from) < w.width; }));
    }
};

CornerFan corner_fan(const PolygonRing& ring, std::span<const std::uint32_t> corners, const glm::dvec2& u)
{
    CornerFan out;
    for (const std::uint32_t corner : corners) {
        if (!ring.contains(corner)) continue;
        const glm::dvec2& place = ring.points()[corner];
        const glm::dvec2 to_next = ring.points()[ring.next(corner)] - place;
        const glm::dvec2 to_previous = ring.points()[ring.previous(corner)] - place;
        if (to_next == glm::dvec2(0.0) || to_previous == glm::dvec2(0.0)) continue;
        const double from = counterclockwise_angle(u, to_next), to = counterclockwise_angle(u, to_previous);
        const double width = positive_angle(to - from);
        out.edges[out.edge_count++] = from;
        out.edges[out.edge_count++] = to;
        if (width > parallel_angle && width < two_pi - parallel_angle)
            out.wedges[out.wedge_count++] = {from, width};
    }
    return out;
}

} // namespace

CoincidentCorners::CoincidentCorners(const std::vector<glm::dvec2>& points)
    : order_(points.size()), first_(points.size()), count_(points.size())
{
    std::iota(order_.begin(), order_.end(), 0u);
    std::ranges::sort(order_, [&](std::uint32_t a, std::uint32_t b) {
        return points[a].x != points[b].x ? points[a].x < points[b].x : points[a].y < points[b].y;
    });
    for (std::size_t begin = 0, end = 0; begin < order_.size(); begin = end) {
        while (end < order_.size() && points[order_[end]] == points[order_[begin]])
            ++end;
        for (std::size_t i = begin; i < end; ++i) {
            first_[order_[i]] = static_cast<std::uint32_t>(begin);
            count_[order_[i]] = static_cast<std::uint32_t>(end - begin);
        }
    }
}

std::span<const std::uint32_t> CoincidentCorners::at(std::uint32_t corner) const
{
    return std::span(order_).subspan(first_[corner], count_[corner]);
}

bool is_inside(const PolygonRing& ring, std::span<const std::uint32_t> corners, const glm::dvec2& u,
               const glm::dvec2& v)
{
    if (corners.size() < 2 || corners.size() > max_corners) return true;
    CornerFan there = corner_fan(ring, corners, u);
    const double width = counterclockwise_angle(u, v);
    const auto edges = there.all_edges();
    if (std::ranges::any_of(edges,
                            [&](double e) { return e > parallel_angle && e < width - parallel_angle; }))
        return false;
    std::ranges::sort(edges);
    const std::size_t insides = there.insides_at(0.5 * width);
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const double gap = positive_angle(edges[(i + 1) % edges.size()] - edges[i]);
        if (gap > parallel_angle && there.insides_at(std::fmod(edges[i] + 0.5 * gap, two_pi)) > insides)
            return false;
    }
    return true;
}

} // namespace vitrine::scene
