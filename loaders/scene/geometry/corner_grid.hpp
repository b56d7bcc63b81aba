#pragma once
// A grid over the concave corners of a polygon. Private to loaders/scene.

#include <array>
#include <cstdint>
#include <vector>

#include <glm/glm.hpp>

namespace vitrine::scene {

using Triangle2 = std::array<glm::dvec2, 3>;

// Has about one corner per cell.
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

} // namespace vitrine::scene
