#pragma once
// Where a polygon's outline meets itself in a corner: holes that are bridged to it, loops that touch. Private
// to loaders/scene.

#include <cstdint>
#include <span>
#include <vector>

#include "loaders/scene/geometry/polygon_ring.hpp"

namespace vitrine::scene {

// All corners of a polygon by place.
class CoincidentCorners {
public:
    explicit CoincidentCorners(const std::vector<glm::dvec2>& points);

    // Those that stand where `corner` stands, itself too; some may be off the ring by now.
    std::span<const std::uint32_t> at(std::uint32_t corner) const;

private:
    std::vector<std::uint32_t> order_; // by place
    std::vector<std::uint32_t> first_; // by corner: where its place begins in `order_`
    std::vector<std::uint32_t> count_; // by corner
};

// Whether the angle from `u` to `v` (counter-clockwise, below pi) at the place of `corners` is inside the
// polygon: no edge leads into it, and no angle there is counted to their insides by more of the corners. (Of
// a bridged hole every corner has an inside of its own; of loops that touch the inside is what all have in
// common.) Corners whose edges cover each other say nothing.
bool is_inside(const PolygonRing& ring, std::span<const std::uint32_t> corners, const glm::dvec2& u,
               const glm::dvec2& v);

} // namespace vitrine::scene
