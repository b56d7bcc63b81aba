#pragma once
// Triangulation of one planar polygon by ear clipping, and the look-ups it needs. Private to loaders/scene.

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <glm/glm.hpp>

namespace vitrine::scene {

// Twice the signed area; positive if counter-clockwise.
inline double signed_area(const glm::dvec2& a, const glm::dvec2& b, const glm::dvec2& c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// A planar polygon from which corners are removed one by one: its remaining corners as a linked ring.
class PolygonRing {
public:
    explicit PolygonRing(std::vector<glm::dvec2> points) : points_(std::move(points))
    {
        const auto n = static_cast<std::uint32_t>(points_.size());
        next_.resize(n);
        previous_.resize(n);
        for (std::uint32_t i = 0; i < n; ++i) {
            next_[i] = i + 1 == n ? 0 : i + 1;
            previous_[i] = i == 0 ? n - 1 : i - 1;
        }
        size_ = n;
    }

    std::uint32_t size() const { return size_; }
    std::uint32_t next(std::uint32_t i) const { return next_[i]; }
    std::uint32_t previous(std::uint32_t i) const { return previous_[i]; }
    bool contains(std::uint32_t i) const { return next_[i] != i; }
    const std::vector<glm::dvec2>& points() const { return points_; }
    double area(std::uint32_t i) const
    {
        return signed_area(points_[previous_[i]], points_[i], points_[next_[i]]);
    }
    bool is_concave(std::uint32_t i) const { return contains(i) && area(i) <= 0.0; }

    // Removes corner `i` and returns the next corner.
    std::uint32_t remove(std::uint32_t i)
    {
        const std::uint32_t after = next_[i];
        next_[previous_[i]] = after;
        previous_[after] = previous_[i];
        next_[i] = i;
        --size_;
        return after;
    }

private:
    std::vector<glm::dvec2> points_;
    std::vector<std::uint32_t> next_; // the corner's own index if removed
    std::vector<std::uint32_t> previous_;
    std::uint32_t size_ = 0;
};

// All corners of a polygon, grouped by position: finds corners at which the outline touches itself, bridged
// holes and touching loops.
class CoincidentCorners {
public:
    explicit CoincidentCorners(const std::vector<glm::dvec2>& points);

    // All corners at the position of `corner`, including itself; some may already be removed from the ring.
    std::span<const std::uint32_t> at(std::uint32_t corner) const;

private:
    std::vector<std::uint32_t> order_; // sorted by position
    std::vector<std::uint32_t> first_; // by corner: index in `order_` of the first corner at its position
    std::vector<std::uint32_t> count_; // by corner
};

// Whether the angle from `u` to `v` (counter-clockwise, less than pi) at the position of `corners` is inside
// the polygon: no edge leads into it, and no other angle there belongs to the interior of more corners. (Each
// corner of a bridged hole has its own interior; for touching loops the interior is the intersection.)
// Corners whose edges coincide are ignored.
bool is_inside(const PolygonRing& ring, std::span<const std::uint32_t> corners, const glm::dvec2& u,
               const glm::dvec2& v);

using Triangle2 = std::array<glm::dvec2, 3>;

// A grid over the concave corners of a polygon, with about one corner per cell.
class CornerGrid {
public:
    CornerGrid(const std::vector<glm::dvec2>& points, const std::vector<std::uint32_t>& corners);

    struct CellRange {
        std::size_t first, last;
    };
    CellRange rows(const Triangle2& t) const;
    // Columns of one row that the triangle touches. The bounding box of a thin slanted ear would cover many
    // more cells.
    CellRange columns(const Triangle2& t, std::size_t y) const;

    // Corners of one cell. A corner that is no longer needed is removed by swapping it to the end.
    std::size_t size(std::size_t x, std::size_t y) const { return size_[y * side_ + x]; }
    std::uint32_t corner(std::size_t x, std::size_t y, std::size_t i) const
    {
        return corners_[first_[y * side_ + x] + i];
    }
    void drop(std::size_t x, std::size_t y, std::size_t i);

private:
    std::size_t clamp(double cell) const;
    std::size_t column(double x) const { return clamp((x - low_.x) * per_unit_.x); }
    std::size_t row(double y) const { return clamp((y - low_.y) * per_unit_.y); }
    void fill(const std::vector<glm::dvec2>& points, const std::vector<std::uint32_t>& corners);

    std::size_t side_;
    glm::dvec2 low_;
    glm::dvec2 per_unit_{};
    std::vector<std::uint32_t> first_; // by cell
    std::vector<std::uint32_t> size_;  // by cell
    std::vector<std::uint32_t> corners_;
};

// Triangulates a counter-clockwise polygon of more than three corners by ear clipping; appends 3 * (n - 2)
// corners. The outline may touch itself in corners and along edges (bridged holes) but must not cross itself.
// A corner is tested once, and again after a neighbor was removed, since only then it can become an ear
// (except for corners on other edges). A grid over the concave corners keeps the cost nearly linear. The
// number of steps (corners, cells and points tested) is limited to 256 + 8 sqrt(n) per corner, and to a
// billion (a few seconds) where this exceeds 256 per corner. Returns false if the limit was reached; the rest
// is then closed as a fan.
bool clip_ears(std::vector<glm::dvec2> points, std::vector<std::uint32_t>& triangle_corners);

} // namespace vitrine::scene
