#include "loaders/scene/geometry/ear_clipper.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vitrine::scene {
namespace {

constexpr double cell_tolerance = 1e-6; // fraction of a cell, for rounding at cell borders
constexpr std::size_t max_cells = 1024; // per side

} // namespace

CornerGrid::CornerGrid(const std::vector<glm::dvec2>& points, const std::vector<std::uint32_t>& corners)
    : side_(static_cast<std::size_t>(std::sqrt(static_cast<double>(corners.size())))), low_(points[0])
{
    side_ = std::clamp<std::size_t>(side_, 1, max_cells);
    glm::dvec2 high = low_;
    for (const glm::dvec2& p : points) {
        low_ = glm::min(low_, p);
        high = glm::max(high, p);
    }
    per_unit_ = static_cast<double>(side_) / glm::max(high - low_, glm::dvec2(1e-300));
    fill(points, corners);
}

CornerGrid::CellRange CornerGrid::rows(const Triangle2& t) const
{
    return {row(std::min({t[0].y, t[1].y, t[2].y})), row(std::max({t[0].y, t[1].y, t[2].y}))};
}

CornerGrid::CellRange CornerGrid::columns(const Triangle2& t, std::size_t y) const
{
    const double bottom = low_.y + (static_cast<double>(y) - cell_tolerance) / per_unit_.y;
    const double top = low_.y + (static_cast<double>(y) + 1.0 + cell_tolerance) / per_unit_.y;
    double left = std::numeric_limits<double>::infinity(), right = -left;
    for (std::size_t i = 0; i < 3; ++i) {
        const glm::dvec2 a = t[i], b = t[(i + 1) % 3];
        if (std::max(a.y, b.y) < bottom || std::min(a.y, b.y) > top) continue;
        const double slope = a.y == b.y ? 0.0 : (b.x - a.x) / (b.y - a.y);
        const double from = a.y == b.y ? a.x : a.x + slope * (std::clamp(a.y, bottom, top) - a.y);
        const double to = a.y == b.y ? b.x : a.x + slope * (std::clamp(b.y, bottom, top) - a.y);
        left = std::min({left, from, to});
        right = std::max({right, from, to});
    }
    return {column(left - cell_tolerance / per_unit_.x), column(right + cell_tolerance / per_unit_.x)};
}

void CornerGrid::drop(std::size_t x, std::size_t y, std::size_t i)
{
    const std::size_t cell = y * side_ + x;
    corners_[first_[cell] + i] = corners_[first_[cell] + --size_[cell]];
}

std::size_t CornerGrid::clamp(double cell) const
{
    return cell > 0.0 ? static_cast<std::size_t>(std::min(cell, static_cast<double>(side_ - 1))) : 0;
}

void CornerGrid::fill(const std::vector<glm::dvec2>& points, const std::vector<std::uint32_t>& corners)
{
    const auto cell_of = [&](std::uint32_t c) { return row(points[c].y) * side_ + column(points[c].x); };
    first_.assign(side_ * side_ + 1, 0);
    for (const std::uint32_t c : corners)
        ++first_[cell_of(c) + 1];
    for (std::size_t i = 1; i < first_.size(); ++i)
        first_[i] += first_[i - 1];
    size_.assign(side_ * side_, 0);
    corners_.resize(corners.size());
    for (const std::uint32_t c : corners)
        corners_[first_[cell_of(c)] + size_[cell_of(c)]++] = c;
}

} // namespace vitrine::scene
