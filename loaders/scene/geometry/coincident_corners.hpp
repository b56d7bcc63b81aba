#pragma once
// Finds corners at which a polygon's outline touches itself: bridged holes and touching loops. Private to
// loaders/scene.

#include <cstdint>
#include <span>
#include <vector>

#include "loaders/scene/geometry/polygon_ring.hpp"

namespace vitrine::scene {

// All corners of a polygon, grouped by position.
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

} // namespace vitrine::scene
