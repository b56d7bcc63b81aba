#pragma once
// A monotone piece of a polygon, which every line across the sweep intersects once: its corners arrive in
// sweep order, each on the lower or the upper side, and a triangle is cut as soon as both its edges are
// known.

#include <cstdint>
#include <span>
#include <vector>

#include <glm/glm.hpp>

namespace vitrine::dae {

// Returns twice the signed area; its sign is exact for coordinates that were floats of similar size.
inline double doubled_signed_area(const glm::dvec2& a, const glm::dvec2& b, const glm::dvec2& c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

class MonotonePiece {
public:
    enum class Side { lower, upper };
    using Triangles = std::vector<std::uint32_t>; // by point index, counter-clockwise

    MonotonePiece() = default;
    explicit MonotonePiece(std::uint32_t first) : chain_{first} {}

    std::uint32_t last() const { return chain_.back(); }
    Side side_of_last() const { return side_; }

    void add(std::uint32_t place, Side side, std::span<const glm::dvec2> points, Triangles& out)
    {
        if (side != side_ && chain_.size() > 1) return cross_over(place, out);
        side_ = side;
        while (chain_.size() > 1 && sees_before_last(place, points)) {
            emit(chain_.size() - 2, place, out);
            chain_.pop_back();
        }
        chain_.push_back(place);
    }

    // Adds the last corner, which belongs to both sides.
    void close(std::uint32_t place, Triangles& out) { cross_over(place, out); }

private:
    bool sees_before_last(std::uint32_t place, std::span<const glm::dvec2> points) const
    {
        const double area =
            doubled_signed_area(points[chain_[chain_.size() - 2]], points[chain_.back()], points[place]);
        return side_ == Side::lower ? area > 0.0 : area < 0.0;
    }

    // Every edge of the chain is visible from a corner on the other side.
    void cross_over(std::uint32_t place, Triangles& out)
    {
        for (std::size_t i = 0; i + 1 < chain_.size(); ++i)
            emit(i, place, out);
        chain_ = {chain_.back(), place};
        side_ = side_ == Side::lower ? Side::upper : Side::lower;
    }

    void emit(std::size_t i, std::uint32_t place, Triangles& out) const
    {
        const std::uint32_t a = chain_[i], b = chain_[i + 1];
        if (side_ == Side::lower)
            out.insert(out.end(), {a, b, place});
        else
            out.insert(out.end(), {b, a, place});
    }

    // Corners whose triangles are not cut yet; all except the first are on one side.
    std::vector<std::uint32_t> chain_;
    Side side_ = Side::lower;
};

} // namespace vitrine::dae
