#pragma once
// Triangulation of one planar polygon by ear clipping, and the look-ups it needs. Private to loaders/scene.

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/base/signed_area.hpp"

namespace vitrine::scene {

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
        return doubled_signed_area(points_[previous_[i]], points_[i], points_[next_[i]]);
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

// A counter-clockwise triangle and its bounds.
struct TriangleQuery {
    explicit TriangleQuery(const Triangle2& t)
        : places(t), low(glm::min(t[0], glm::min(t[1], t[2]))), high(glm::max(t[0], glm::max(t[1], t[2])))
    {
    }
    Triangle2 places;
    glm::dvec2 low, high;
};

// A k-d tree over the concave corners of a polygon. It adapts to corners that lie along few lines, of which a
// grid would collect many in one cell.
class CornerTree {
public:
    CornerTree(const std::vector<glm::dvec2>& points, std::vector<std::uint32_t> corners);

    static constexpr std::uint32_t none = UINT32_MAX;

    std::uint32_t root() const { return nodes_.empty() ? none : 0; }
    // Whether corners of the node may be inside a counter-clockwise triangle or on its edges. Exact: for each
    // of the node's corners signed_area() is at most that of a corner of its box, since rounding is
    // monotonic.
    bool may_touch(std::uint32_t node, const TriangleQuery& query) const;
    bool is_leaf(std::uint32_t node) const { return nodes_[node].second_child == none; }
    std::array<std::uint32_t, 2> children(std::uint32_t node) const
    {
        return {node + 1, nodes_[node].second_child};
    }

    // Corners of a leaf. A corner that is no longer needed is removed by swapping it to the end.
    std::uint32_t size(std::uint32_t leaf) const { return nodes_[leaf].size; }
    std::uint32_t corner(std::uint32_t leaf, std::uint32_t i) const
    {
        return corners_[nodes_[leaf].first + i];
    }
    void drop(std::uint32_t leaf, std::uint32_t i);

private:
    struct Node {
        glm::dvec2 low{}, high{};          // bounds of its corners
        std::uint32_t first = 0;           // in `corners_`
        std::uint32_t size = 0;            // number of corners that were not dropped
        std::uint32_t second_child = none; // the first child follows its parent
        std::uint32_t parent = none;
    };

    void set_bounds(Node& node, const std::vector<glm::dvec2>& points) const;
    // Orders the node's corners along its longer side about their median; returns the size of the first half.
    std::uint32_t split(const Node& node, const std::vector<glm::dvec2>& points);

    std::vector<std::uint32_t> corners_;
    std::vector<Node> nodes_;
};

// Triangulates a counter-clockwise polygon of more than three corners by ear clipping; appends 3 * (n - 2)
// corners. The outline may touch itself in corners and along edges (bridged holes) but must not cross itself.
// A corner is tested once, and again after a neighbor was removed, since only then it can become an ear
// (except for corners on other edges). A tree over the concave corners keeps the cost nearly linear. The
// number of steps (corners, nodes and points tested) is limited to 256 + 8 sqrt(n) per corner, and to a
// billion (a few seconds) where this exceeds 256 per corner. Returns false if the limit was reached; the rest
// is then closed as a fan.
bool clip_ears(std::vector<glm::dvec2> points, std::vector<std::uint32_t>& triangle_corners);

} // namespace vitrine::scene
