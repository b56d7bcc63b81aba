#pragma once
// Triangulates the area inside outlines by a line that sweeps over their corners from left to right (M. de
// Berg et al., Computational Geometry, chapter 3). Private to triangulate_with_holes.cpp.

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/base/signed_area.hpp"

namespace vitrine::dae {

// A monotone piece of a polygon, which every line across the sweep intersects once: its corners arrive in
// sweep order, each on the lower or the upper side, and a triangle is cut as soon as both its edges are
// known.
class MonotonePiece {
public:
    enum class ChainSide { lower, upper };
    using Triangles = std::vector<std::uint32_t>; // by point index, counter-clockwise

    MonotonePiece() = default;
    explicit MonotonePiece(std::uint32_t first) : chain_{first} {}

    std::uint32_t last() const { return chain_.back(); }
    ChainSide side_of_last() const { return side_; }

    void add(std::uint32_t point, ChainSide side, std::span<const glm::dvec2> points, Triangles& out)
    {
        if (side != side_ && chain_.size() > 1) return cross_over(point, out);
        side_ = side;
        while (chain_.size() > 1 && sees_before_last(point, points)) {
            emit(chain_.size() - 2, point, out);
            chain_.pop_back();
        }
        chain_.push_back(point);
    }

    // Adds the last corner, which belongs to both sides.
    void close(std::uint32_t point, Triangles& out) { cross_over(point, out); }

private:
    bool sees_before_last(std::uint32_t point, std::span<const glm::dvec2> points) const
    {
        const double area =
            doubled_signed_area(points[chain_[chain_.size() - 2]], points[chain_.back()], points[point]);
        return side_ == ChainSide::lower ? area > 0.0 : area < 0.0;
    }

    // Every edge of the chain is visible from a corner on the other side.
    void cross_over(std::uint32_t point, Triangles& out)
    {
        for (std::size_t i = 0; i + 1 < chain_.size(); ++i)
            emit(i, point, out);
        chain_ = {chain_.back(), point};
        side_ = side_ == ChainSide::lower ? ChainSide::upper : ChainSide::lower;
    }

    void emit(std::size_t i, std::uint32_t point, Triangles& out) const
    {
        const std::uint32_t a = chain_[i], b = chain_[i + 1];
        if (side_ == ChainSide::lower)
            out.insert(out.end(), {a, b, point});
        else
            out.insert(out.end(), {b, a, point});
    }

    // Corners whose triangles are not cut yet; all except the first are on one side.
    std::vector<std::uint32_t> chain_;
    ChainSide side_ = ChainSide::lower;
};

class PlaneSweep {
public:
    explicit PlaneSweep(std::vector<glm::dvec2> corners);
    PlaneSweep(const PlaneSweep&) = delete; // not copyable: the order of its edges refers to it
    PlaneSweep& operator=(const PlaneSweep&) = delete;

    // Adds the corners [first, end) in order; counter-clockwise outlines enclose area, clockwise ones remove
    // it.
    void add_outline(std::size_t first, std::size_t end, bool reversed);

    // Appends triangles of the enclosed area, as indices of corners. Returns false, leaving `triangles`
    // unchanged, when edges intersect.
    bool run(std::vector<std::uint32_t>& triangles);

private:
    // The region between two adjacent edges. Has two pieces where they met at their last corner, until the
    // next corner decides which one it belongs to.
    struct Region {
        MonotonePiece piece;
        std::optional<MonotonePiece> upper;
    };
    struct Edge {
        std::uint32_t left = 0, right = 0; // point indices
        int rise = 0;                      // change of the winding number across the edge, from below
        int winding = 0;                   // above the edge
        std::uint64_t label = 0;           // ascending in the order on the sweep line
        Region region;                     // above the edge, where the winding number is positive
        bool encloses() const { return winding > 0; }
    };
    enum class PointIndex : std::uint32_t {};
    // Orders the edges on the sweep line by their labels; points are located by geometry.
    struct Order {
        using is_transparent = void;
        const PlaneSweep* sweep;
        bool operator()(std::uint32_t a, std::uint32_t b) const
        {
            return sweep->edges_[a].label < sweep->edges_[b].label;
        }
        bool operator()(std::uint32_t edge, PointIndex point) const
        {
            return sweep->height(edge, static_cast<std::uint32_t>(point)) > 0.0;
        }
    };
    using SweepLine = std::set<std::uint32_t, Order>;

    // The edges that meet at one point.
    struct SweepEvent {
        std::uint32_t point = 0;
        std::optional<std::uint32_t> below;          // the edge below it
        std::vector<std::uint32_t> ending, starting; // edges, from below
        SweepLine::iterator first_ending, above;
    };

    double height(std::uint32_t edge, std::uint32_t point) const;
    std::uint32_t new_edge(std::uint32_t left, std::uint32_t right, int rise);
    bool take_steps(std::size_t count);
    bool visit(std::uint32_t point);
    SweepEvent gather_event(std::uint32_t point);
    double slope(std::uint32_t edge) const;
    void order_starting(SweepEvent& event);
    bool set_windings(const SweepEvent& event);
    Region end_regions(const SweepEvent& event);
    void start_regions(const SweepEvent& event, Region top);
    Region split(Region& region, std::uint32_t point);
    bool insert_starting_edges(const SweepEvent& event);
    bool spread_labels(SweepLine::iterator around, std::size_t room);
    bool cross(std::uint32_t below, std::uint32_t above) const;
    bool neighbors_cross(const SweepEvent& event) const;
    void close(Region& region, std::uint32_t point);
    void reach_from_below(Region& region, std::uint32_t point);
    void reach_from_above(Region& region, std::uint32_t point);

    std::vector<glm::dvec2> points_;                   // unique points, ascending by x, then y
    std::vector<std::uint32_t> corner_of_;             // by point
    std::vector<std::uint32_t> place_of_;              // by corner
    std::vector<std::vector<std::uint32_t>> starting_; // edges by their left point
    std::vector<Edge> edges_;
    double tolerance_ = 0.0; // a point this close to an edge is on it
    SweepLine line_;
    std::uint64_t steps_left_ = 0;
    MonotonePiece::Triangles out_;
};

} // namespace vitrine::dae
