#include "loaders/dae/geometry/plane_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

namespace vitrine::dae {
namespace {

using ChainSide = MonotonePiece::ChainSide;

// Relative to the largest coordinate: points this close are equal in float precision.
constexpr double edge_tolerance = 4.0 * double{std::numeric_limits<float>::epsilon()};
// Limit on edges that end, are split or get a new label. Valid outlines need a few per corner.
constexpr std::uint64_t steps_per_corner = 128;
constexpr std::uint64_t max_label = std::uint64_t{1} << 62;

} // namespace

PlaneSweep::PlaneSweep(std::vector<glm::dvec2> corners)
    : place_of_(corners.size()), line_(Order{this}), steps_left_(steps_per_corner * corners.size())
{
    std::vector<std::uint32_t> order(corners.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        const glm::dvec2 &p = corners[a], &q = corners[b];
        return std::tie(p.x, p.y, a) < std::tie(q.x, q.y, b);
    });
    double largest = 0.0;
    for (const std::uint32_t corner : order) {
        const glm::dvec2& p = corners[corner];
        if (points_.empty() || points_.back() != p) {
            points_.push_back(p);
            corner_of_.push_back(corner);
        }
        place_of_[corner] = static_cast<std::uint32_t>(points_.size() - 1);
        largest = std::max({largest, std::abs(p.x), std::abs(p.y)});
    }
    tolerance_ = edge_tolerance * largest;
    starting_.resize(points_.size());
}

std::uint32_t PlaneSweep::new_edge(std::uint32_t left, std::uint32_t right, int rise)
{
    Edge& edge = edges_.emplace_back();
    edge.left = left;
    edge.right = right;
    edge.rise = rise;
    return static_cast<std::uint32_t>(edges_.size() - 1);
}

void PlaneSweep::add_outline(std::size_t first, std::size_t end, bool reversed)
{
    for (std::size_t i = first; i < end; ++i) {
        std::uint32_t from = place_of_[i], to = place_of_[i + 1 < end ? i + 1 : first];
        if (reversed) std::swap(from, to);
        if (from < to) starting_[from].push_back(new_edge(from, to, 1));
        if (from > to) starting_[to].push_back(new_edge(to, from, -1));
    }
}

bool PlaneSweep::take_steps(std::size_t count)
{
    if (count > steps_left_) return false;
    steps_left_ -= count;
    return true;
}

// Returns the signed height of the point over the edge; 0: on it.
double PlaneSweep::height(std::uint32_t edge, std::uint32_t point) const
{
    const glm::dvec2 &left = points_[edges_[edge].left], &right = points_[edges_[edge].right];
    const double above = doubled_signed_area(left, right, points_[point]) / glm::length(right - left);
    return std::abs(above) <= tolerance_ ? 0.0 : above;
}

bool PlaneSweep::run(std::vector<std::uint32_t>& triangles)
{
    for (std::uint32_t point = 0; point < points_.size(); ++point)
        if (!visit(point)) return false;
    if (!line_.empty()) return false;
    triangles.reserve(triangles.size() + out_.size());
    for (const std::uint32_t point : out_)
        triangles.push_back(corner_of_[point]);
    return true;
}

bool PlaneSweep::visit(std::uint32_t point)
{
    SweepEvent event = gather_event(point);
    if (!take_steps(event.ending.size() + event.starting.size() + 1)) return false;
    order_starting(event);
    if (!set_windings(event)) return false;
    Region top = end_regions(event);
    start_regions(event, std::move(top));
    line_.erase(event.first_ending, event.above);
    return insert_starting_edges(event) && !neighbors_cross(event);
}

// Splits edges that pass through the point.
PlaneSweep::SweepEvent PlaneSweep::gather_event(std::uint32_t point)
{
    SweepEvent event;
    event.point = point;
    event.starting = std::move(starting_[point]);
    auto at = line_.lower_bound(PointIndex{point});
    event.first_ending = at;
    if (at != line_.begin()) event.below = *std::prev(at);
    for (; at != line_.end() && height(*at, point) == 0.0; ++at) {
        event.ending.push_back(*at);
        const std::uint32_t right = edges_[*at].right;
        if (right > point) event.starting.push_back(new_edge(point, right, edges_[*at].rise));
    }
    event.above = at;
    return event;
}

// Division of floats keeps different slopes different and equal ones equal.
double PlaneSweep::slope(std::uint32_t edge) const
{
    const glm::dvec2 direction = points_[edges_[edge].right] - points_[edges_[edge].left];
    return direction.y / direction.x; // vertical: infinite
}

// From below; collinear edges are split where the shortest ends.
void PlaneSweep::order_starting(SweepEvent& event)
{
    std::ranges::sort(event.starting, {}, [&](std::uint32_t edge) { return slope(edge); });
    std::vector<std::uint32_t> ordered;
    for (const std::uint32_t edge : event.starting) {
        if (ordered.empty() || slope(ordered.back()) != slope(edge)) {
            ordered.push_back(edge);
            continue;
        }
        const std::uint32_t known = ordered.back();
        const std::uint32_t longer = edges_[known].right < edges_[edge].right ? edge : known;
        const std::uint32_t end = std::min(edges_[known].right, edges_[edge].right);
        if (const auto [right, rise] = std::pair(edges_[longer].right, edges_[longer].rise); right > end)
            starting_[end].push_back(new_edge(end, right, rise));
        edges_[known].right = end;
        edges_[known].rise += edges_[edge].rise;
        if (edges_[known].rise == 0) ordered.pop_back();
    }
    event.starting = std::move(ordered);
}

// Returns false when the winding numbers are inconsistent: edges intersect.
bool PlaneSweep::set_windings(const SweepEvent& event)
{
    int winding = event.below ? edges_[*event.below].winding : 0;
    const int top = event.ending.empty() ? winding : edges_[event.ending.back()].winding;
    for (const std::uint32_t edge : event.starting)
        edges_[edge].winding = winding += edges_[edge].rise;
    return winding == top;
}

void PlaneSweep::close(Region& region, std::uint32_t point)
{
    region.piece.close(point, out_);
    if (region.upper) region.upper->close(point, out_);
}

void PlaneSweep::reach_from_above(Region& region, std::uint32_t point)
{
    region.piece.add(point, ChainSide::upper, points_, out_);
    if (region.upper) region.upper->close(point, out_);
    region.upper.reset();
}

void PlaneSweep::reach_from_below(Region& region, std::uint32_t point)
{
    if (region.upper) {
        region.piece.close(point, out_);
        region.piece = *std::exchange(region.upper, std::nullopt);
    }
    region.piece.add(point, ChainSide::lower, points_, out_);
}

// Splits the region at a corner inside it with edges that start there, along the diagonal from its last
// corner. Returns the part above the edges.
PlaneSweep::Region PlaneSweep::split(Region& region, std::uint32_t point)
{
    Region top;
    if (region.upper) {
        top.piece = *std::exchange(region.upper, std::nullopt);
    } else {
        const std::uint32_t last = region.piece.last();
        top.piece = MonotonePiece(last);
        if (region.piece.side_of_last() == ChainSide::lower) std::swap(top.piece, region.piece);
    }
    region.piece.add(point, ChainSide::upper, points_, out_);
    top.piece.add(point, ChainSide::lower, points_, out_);
    return top;
}

// Returns the region above all edges that start here.
PlaneSweep::Region PlaneSweep::end_regions(const SweepEvent& event)
{
    Region* below = event.below && edges_[*event.below].encloses() ? &edges_[*event.below].region : nullptr;
    if (event.ending.empty())
        return below == nullptr || event.starting.empty() ? Region() : split(*below, event.point);
    if (below != nullptr) reach_from_above(*below, event.point);
    for (const std::uint32_t edge : std::span(event.ending).first(event.ending.size() - 1))
        if (edges_[edge].encloses()) close(edges_[edge].region, event.point);
    Edge& last = edges_[event.ending.back()];
    if (!last.encloses()) return {};
    reach_from_below(last.region, event.point);
    if (!event.starting.empty()) return std::move(last.region);
    below->upper = std::move(last.region.piece); // they merge; by winding numbers, `below` encloses area too
    return {};
}

void PlaneSweep::start_regions(const SweepEvent& event, Region top)
{
    for (const std::uint32_t edge : event.starting)
        if (edges_[edge].encloses()) edges_[edge].region.piece = MonotonePiece(event.point);
    if (!event.starting.empty() && edges_[event.starting.back()].encloses())
        edges_[event.starting.back()].region = std::move(top);
}

bool PlaneSweep::insert_starting_edges(const SweepEvent& event)
{
    const std::size_t count = event.starting.size();
    std::uint64_t low = 0, step = 0;
    const auto find_gap = [&] {
        low = event.below ? edges_[*event.below].label : 0;
        const std::uint64_t high = event.above == line_.end() ? max_label : edges_[*event.above].label;
        step = (high - low) / (count + 1);
        return step > 0;
    };
    if (!find_gap()) {
        if (!spread_labels(event.below ? std::prev(event.above) : event.above, count) || !find_gap())
            return false;
    }
    for (const std::uint32_t edge : event.starting) {
        edges_[edge].label = low += step;
        line_.insert(event.above, edge);
    }
    return true;
}

// Distributes the labels around an edge evenly over the smallest power-of-two range that is not crowded,
// which costs O(log n) per inserted edge (M. Bender et al., Two Simplified Algorithms for Maintaining Order
// in a List).
bool PlaneSweep::spread_labels(SweepLine::iterator around, std::size_t room)
{
    constexpr double label_spread = 1.4; // larger values relabel less often and more edges at once
    if (around == line_.end()) return false;
    const std::uint64_t label = edges_[*around].label;
    auto first = around, last = std::next(around);
    std::uint64_t count = 1;
    double capacity = 1.0;
    for (std::uint64_t size = 2; size <= max_label; size *= 2) {
        capacity *= 2.0 / label_spread;
        const std::uint64_t low = label & ~(size - 1);
        for (; first != line_.begin() && edges_[*std::prev(first)].label >= low; ++count)
            --first;
        for (; last != line_.end() && edges_[*last].label - low < size; ++count)
            ++last;
        if (static_cast<double>(count) > capacity || size / (count + 1) <= 2 * (room + 1)) continue;
        std::uint64_t next = low;
        for (auto at = first; at != last; ++at)
            edges_[*at].label = next += size / (count + 1);
        return take_steps(count);
    }
    return false;
}

bool PlaneSweep::cross(std::uint32_t below, std::uint32_t above) const
{
    const std::uint32_t end = std::min(edges_[below].right, edges_[above].right);
    return (edges_[below].right == end && height(above, end) > 0.0) ||
           (edges_[above].right == end && height(below, end) < 0.0);
}

bool PlaneSweep::neighbors_cross(const SweepEvent& event) const
{
    const bool has_above = event.above != line_.end();
    if (event.starting.empty()) return event.below && has_above && cross(*event.below, *event.above);
    return (event.below && cross(*event.below, event.starting.front())) ||
           (has_above && cross(event.starting.back(), *event.above));
}

} // namespace vitrine::dae
