#pragma once
// Triangles of the plane inside outlines, by a line that sweeps over their corners from left to right (M. de
// Berg et al., Computational Geometry, chapter 3). Private to triangulate_with_holes.cpp.

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/dae/geometry/monotone_piece.hpp"

namespace vitrine::dae {

class PlaneSweep {
public:
    explicit PlaneSweep(std::vector<glm::dvec2> corners);
    PlaneSweep(const PlaneSweep&) = delete; // the order of its edges refers to it
    PlaneSweep& operator=(const PlaneSweep&) = delete;

    // Corners [first, end) in their order; counter-clockwise ones enclose, clockwise ones take away.
    void add_outline(std::size_t first, std::size_t end, bool reversed);

    // Triangles of all that is enclosed, as indices of corners. False, and nothing appended, where edges
    // cross.
    bool run(std::vector<std::uint32_t>& triangles);

private:
    // Between two edges that follow each other. Two pieces: they met at their last corner, and the next one
    // will tell them apart.
    struct Region {
        MonotonePiece piece;
        std::optional<MonotonePiece> upper;
    };
    struct Edge {
        std::uint32_t left = 0, right = 0; // places
        int rise = 0;                      // of the winding number, from below to above it
        int winding = 0;                   // above it
        std::uint64_t label = 0;           // ascending with the order on the line
        Region region;                     // above it, where the winding is positive
        bool encloses() const { return winding > 0; }
    };
    enum class Place : std::uint32_t {};
    // Edges on the line by their labels; places are looked up by geometry.
    struct Order {
        using is_transparent = void;
        const PlaneSweep* sweep;
        bool operator()(std::uint32_t a, std::uint32_t b) const
        {
            return sweep->edges_[a].label < sweep->edges_[b].label;
        }
        bool operator()(std::uint32_t edge, Place place) const
        {
            return sweep->height(edge, static_cast<std::uint32_t>(place)) > 0.0;
        }
    };
    using SweepLine = std::set<std::uint32_t, Order>;

    // What meets at one place.
    struct SweepEvent {
        std::uint32_t place = 0;
        std::optional<std::uint32_t> below;          // the edge under it
        std::vector<std::uint32_t> ending, starting; // edges, from below
        SweepLine::iterator first_ending, above;
    };

    double height(std::uint32_t edge, std::uint32_t place) const;
    std::uint32_t new_edge(std::uint32_t left, std::uint32_t right, int rise);
    bool take_steps(std::size_t count);
    bool visit(std::uint32_t place);
    SweepEvent gather_event(std::uint32_t place);
    double slope(std::uint32_t edge) const;
    void order_starting(SweepEvent& event);
    bool set_windings(const SweepEvent& event);
    Region end_regions(const SweepEvent& event);
    void start_regions(const SweepEvent& event, Region top);
    Region split(Region& region, std::uint32_t place);
    bool insert_starting_edges(const SweepEvent& event);
    bool spread_labels(SweepLine::iterator around, std::size_t room);
    bool cross(std::uint32_t below, std::uint32_t above) const;
    bool neighbours_cross(const SweepEvent& event) const;
    void close(Region& region, std::uint32_t place);
    void reach_from_below(Region& region, std::uint32_t place);
    void reach_from_above(Region& region, std::uint32_t place);

    std::vector<glm::dvec2> points_;                   // by place: ascending by x, then y, each once
    std::vector<std::uint32_t> corner_of_;             // by place
    std::vector<std::uint32_t> place_of_;              // by corner
    std::vector<std::vector<std::uint32_t>> starting_; // edges by their left place
    std::vector<Edge> edges_;
    double tolerance_ = 0.0; // a place as near to an edge lies on it
    SweepLine line_;
    std::uint64_t steps_left_ = 0;
    MonotonePiece::Triangles out_;
};

} // namespace vitrine::dae
