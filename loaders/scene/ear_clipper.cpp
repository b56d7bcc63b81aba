#include "loaders/scene/ear_clipper.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace vitrine::scene {
namespace {

constexpr std::size_t steps_per_corner = 256;
constexpr double slack = 1e-6; // of a cell, against rounding at its edges

using Triangle = std::array<glm::dvec2, 3>;

// Concave corners by place, about one a cell.
class CornerGrid {
public:
    CornerGrid(const std::vector<glm::dvec2>& points, const std::vector<std::uint32_t>& corners)
        : side_(static_cast<std::size_t>(std::sqrt(static_cast<double>(corners.size())))), low_(points[0])
    {
        side_ = std::clamp<std::size_t>(side_, 1, 1024);
        glm::dvec2 high = low_;
        for (const glm::dvec2& p : points) {
            low_ = glm::min(low_, p);
            high = glm::max(high, p);
        }
        per_unit_ = static_cast<double>(side_) / glm::max(high - low_, glm::dvec2(1e-300));
        fill(points, corners);
    }

    struct Range {
        std::size_t first, last;
    };
    Range rows(const Triangle& t) const
    {
        return {row(std::min({t[0].y, t[1].y, t[2].y})), row(std::max({t[0].y, t[1].y, t[2].y}))};
    }

    // The cells of one row that the triangle touches: thin slanted ears would have very many in their box.
    Range columns(const Triangle& t, std::size_t y) const
    {
        const double bottom = low_.y + (static_cast<double>(y) - slack) / per_unit_.y;
        const double top = low_.y + (static_cast<double>(y) + 1.0 + slack) / per_unit_.y;
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
        return {column(left - slack / per_unit_.x), column(right + slack / per_unit_.x)};
    }

    // The corners of one cell; one that is no longer of interest is dropped by swapping it to the end.
    std::size_t size(std::size_t x, std::size_t y) const { return size_[y * side_ + x]; }
    std::uint32_t corner(std::size_t x, std::size_t y, std::size_t i) const
    {
        return corners_[first_[y * side_ + x] + i];
    }
    void drop(std::size_t x, std::size_t y, std::size_t i)
    {
        const std::size_t cell = y * side_ + x;
        corners_[first_[cell] + i] = corners_[first_[cell] + --size_[cell]];
    }

private:
    std::size_t clamp(double cell) const
    {
        return cell > 0.0 ? static_cast<std::size_t>(std::min(cell, static_cast<double>(side_ - 1))) : 0;
    }
    std::size_t column(double x) const { return clamp((x - low_.x) * per_unit_.x); }
    std::size_t row(double y) const { return clamp((y - low_.y) * per_unit_.y); }

    void fill(const std::vector<glm::dvec2>& points, const std::vector<std::uint32_t>& corners)
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

    std::size_t side_;
    glm::dvec2 low_;
    glm::dvec2 per_unit_{};
    std::vector<std::uint32_t> first_; // by cell
    std::vector<std::uint32_t> size_;  // by cell
    std::vector<std::uint32_t> corners_;
};

// What is left of the polygon, as a ring of its corners.
class Ring {
public:
    explicit Ring(std::vector<glm::dvec2> points) : points_(std::move(points))
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

    // Returns the corner after it.
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
    std::vector<std::uint32_t> next_; // itself: removed
    std::vector<std::uint32_t> previous_;
    std::uint32_t size_ = 0;
};

std::vector<std::uint32_t> concave_corners(const Ring& ring)
{
    std::vector<std::uint32_t> out;
    for (std::uint32_t i = 0; i < ring.size(); ++i) {
        if (ring.is_concave(i)) out.push_back(i);
    }
    return out;
}

class EarClipper {
public:
    EarClipper(std::vector<glm::dvec2> points, std::vector<std::uint32_t>& out)
        : ring_(std::move(points)), grid_(ring_.points(), concave_corners(ring_)), out_(out),
          steps_left_(ring_.size() * steps_per_corner)
    {
    }

    void run()
    {
        std::uint32_t at = 0;
        std::uint32_t misses = 0; // corners looked at since the last cut
        while (ring_.size() > 3) {
            if (may_cut(at, misses)) {
                at = cut(at);
                // Skipping one gives rounder triangles than cutting in order; without steps left it is a fan.
                if (steps_left_ > 0) at = ring_.next(at);
                misses = 0;
            } else {
                at = ring_.next(at);
                ++misses;
            }
        }
        emit(at);
    }

private:
    // When a whole round finds no ear (touching or crossing outlines), corners without area go first, then
    // any.
    bool may_cut(std::uint32_t i, std::uint32_t misses)
    {
        if (steps_left_ == 0) return true;
        --steps_left_;
        if (misses < ring_.size()) return is_ear(i);
        return ring_.area(i) == 0.0 || misses >= 2 * ring_.size();
    }

    // Convex, and no concave corner inside or on its edges; corners at the same place as its own do not
    // count, so that outlines bridged to a hole can be cut.
    bool is_ear(std::uint32_t i)
    {
        if (!(ring_.area(i) > 0.0)) return false;
        const Triangle ear{ring_.points()[ring_.previous(i)], ring_.points()[i],
                           ring_.points()[ring_.next(i)]};
        const auto rows = grid_.rows(ear);
        for (std::size_t y = rows.first; y <= rows.last && steps_left_ > 0; ++y) {
            --steps_left_;
            const auto columns = grid_.columns(ear, y);
            for (std::size_t x = columns.first; x <= columns.last && steps_left_ > 0; ++x) {
                if (holds_corner_in(x, y, ear)) return false;
            }
        }
        return steps_left_ > 0;
    }

    bool holds_corner_in(std::size_t x, std::size_t y, const Triangle& ear)
    {
        --steps_left_;
        for (std::size_t k = 0; k < grid_.size(x, y) && steps_left_ > 0;) {
            const std::uint32_t corner = grid_.corner(x, y, k);
            if (!ring_.is_concave(corner)) { // cut off, or convex by now, which it stays
                grid_.drop(x, y, k);
                continue;
            }
            --steps_left_;
            ++k;
            const glm::dvec2& p = ring_.points()[corner];
            const auto& [a, b, c] = ear;
            if (p == a || p == b || p == c) continue;
            if (signed_area(a, b, p) >= 0.0 && signed_area(b, c, p) >= 0.0 && signed_area(c, a, p) >= 0.0)
                return true;
        }
        return false;
    }

    void emit(std::uint32_t i) { out_.insert(out_.end(), {ring_.previous(i), i, ring_.next(i)}); }

    std::uint32_t cut(std::uint32_t i)
    {
        emit(i);
        return ring_.remove(i);
    }

    Ring ring_;
    CornerGrid grid_;
    std::vector<std::uint32_t>& out_;
    std::size_t steps_left_;
};

} // namespace

void clip_ears(std::vector<glm::dvec2> points, std::vector<std::uint32_t>& triangle_corners)
{
    EarClipper(std::move(points), triangle_corners).run();
}

} // namespace vitrine::scene
