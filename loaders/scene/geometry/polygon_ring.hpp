#pragma once
// A planar polygon from which corners are removed one by one. Private to loaders/scene.

#include <cstdint>
#include <utility>
#include <vector>

#include <glm/glm.hpp>

namespace vitrine::scene {

// Twice the signed area; positive if counter-clockwise.
inline double signed_area(const glm::dvec2& a, const glm::dvec2& b, const glm::dvec2& c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// The remaining corners of the polygon as a linked ring.
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

} // namespace vitrine::scene
