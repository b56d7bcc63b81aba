#include "loaders/dae/holes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vitrine::dae {
namespace {

using Outline = std::vector<std::uint32_t>;

// Beyond it the nearest corner is taken without asking whether the bridge crosses anything: work stays
// bounded in a hostile file.
constexpr std::size_t most_tests = 4'000'000;
// Beyond it holes are filled.
constexpr std::size_t most_steps = 50'000'000;

// Twice the signed area vector (Newell).
glm::dvec3 area_of(std::span<const glm::vec3> points, const Outline& outline)
{
    glm::dvec3 sum(0.0);
    for (std::size_t i = 0; i < outline.size(); ++i)
        sum +=
            glm::cross(glm::dvec3(points[outline[i]]), glm::dvec3(points[outline[(i + 1) % outline.size()]]));
    return sum;
}

// The two coordinates in which the plane is seen largest.
class Projection {
public:
    explicit Projection(const glm::dvec3& normal)
    {
        const glm::dvec3 size = glm::abs(normal);
        const int drop = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
        u_ = drop == 0 ? 1 : 0;
        v_ = drop == 2 ? 1 : 2;
    }
    glm::dvec2 operator()(const glm::vec3& p) const { return {p[u_], p[v_]}; }

private:
    glm::length_t u_ = 0, v_ = 1;
};

double side(const glm::dvec2& a, const glm::dvec2& b, const glm::dvec2& c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

bool crosses(const glm::dvec2& a, const glm::dvec2& b, const glm::dvec2& c, const glm::dvec2& d)
{
    return side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0;
}

class Joiner {
public:
    Joiner(std::span<const glm::vec3> points, Outline outer, const glm::dvec3& normal)
        : points_(points), project_(normal), outline_(std::move(outer)), normal_(normal)
    {
    }

    void add(Outline hole)
    {
        steps_ += outline_.size();
        if (hole.size() < 3 || steps_ > most_steps) return;
        if (glm::dot(area_of(points_, hole), normal_) > 0.0) std::ranges::reverse(hole);
        const auto [at, from] = find_bridge(hole);
        Outline joined(outline_.begin(), outline_.begin() + static_cast<std::ptrdiff_t>(at) + 1);
        for (std::size_t i = 0; i <= hole.size(); ++i)
            joined.push_back(hole[(from + i) % hole.size()]);
        joined.insert(joined.end(), outline_.begin() + static_cast<std::ptrdiff_t>(at), outline_.end());
        outline_ = std::move(joined);
    }
    Outline take() { return std::move(outline_); }

private:
    struct Bridge {
        std::size_t outer = 0;
        std::size_t hole = 0;
    };

    glm::dvec2 at(std::uint32_t point) const { return project_(points_[point]); }

    bool is_free(std::uint32_t a, std::uint32_t b, const Outline& loop)
    {
        tests_ += loop.size();
        for (std::size_t i = 0; i < loop.size(); ++i)
            if (crosses(at(a), at(b), at(loop[i]), at(loop[(i + 1) % loop.size()]))) return false;
        return true;
    }

    // From the hole's corner that lies farthest along u to the nearest corner that it sees.
    Bridge find_bridge(const Outline& hole)
    {
        Bridge best;
        for (std::size_t h = 1; h < hole.size(); ++h)
            if (at(hole[h]).x > at(hole[best.hole]).x) best.hole = h;
        double nearest = std::numeric_limits<double>::max();
        const std::uint32_t from = hole[best.hole];
        for (std::size_t o = 0; o < outline_.size(); ++o) {
            const glm::dvec2 way = at(outline_[o]) - at(from);
            const double distance = glm::dot(way, way);
            if (distance >= nearest) continue;
            if (tests_ < most_tests &&
                !(is_free(from, outline_[o], outline_) && is_free(from, outline_[o], hole)))
                continue;
            nearest = distance;
            best.outer = o;
        }
        return best;
    }

    std::span<const glm::vec3> points_;
    Projection project_;
    Outline outline_;
    glm::dvec3 normal_;
    std::size_t tests_ = 0;
    std::size_t steps_ = 0;
};

} // namespace

std::vector<std::uint32_t> join_holes(std::span<const glm::vec3> points,
                                      std::span<const std::uint32_t> hole_starts)
{
    const auto range = [](std::size_t first, std::size_t end) {
        Outline outline;
        for (std::size_t i = first; i < end; ++i)
            outline.push_back(static_cast<std::uint32_t>(i));
        return outline;
    };
    Outline outer = range(0, hole_starts.empty() ? points.size() : hole_starts[0]);
    if (outer.size() < 3) return {};
    const glm::dvec3 normal = area_of(points, outer);
    const Projection project(normal);
    std::vector<Outline> holes;
    for (std::size_t h = 0; h < hole_starts.size(); ++h)
        holes.push_back(
            range(hole_starts[h], h + 1 < hole_starts.size() ? hole_starts[h + 1] : points.size()));
    // The farthest first: what a later bridge could hit is then part of the outline.
    const auto reach = [&](const Outline& hole) {
        double farthest = std::numeric_limits<double>::lowest();
        for (const std::uint32_t p : hole)
            farthest = std::max(farthest, project(points[p]).x);
        return farthest;
    };
    std::ranges::sort(holes, std::ranges::greater{}, reach);
    Joiner joiner(points, std::move(outer), normal);
    for (Outline& hole : holes)
        joiner.add(std::move(hole));
    return joiner.take();
}

} // namespace vitrine::dae
