#include "loaders/scene/geometry/ear_clipper.hpp"

#include <algorithm>
#include <utility>

namespace vitrine::scene {
namespace {

constexpr std::uint32_t leaf_size = 8; // corners

} // namespace

CornerTree::CornerTree(const std::vector<glm::dvec2>& points, std::vector<std::uint32_t> corners)
    : corners_(std::move(corners))
{
    nodes_.reserve(4 * corners_.size() / leaf_size + 1);
    std::vector<Node> open; // nodes to add, in depth-first order, without bounds
    if (!corners_.empty()) open.push_back({.size = static_cast<std::uint32_t>(corners_.size())});
    while (!open.empty()) {
        Node node = open.back();
        open.pop_back();
        const auto index = static_cast<std::uint32_t>(nodes_.size());
        if (node.parent != none && node.parent + 1 != index) nodes_[node.parent].second_child = index;
        set_bounds(node, points);
        nodes_.push_back(node);
        if (node.size <= leaf_size) continue;
        const std::uint32_t half = split(node, points);
        open.push_back({.first = node.first + half, .size = node.size - half, .parent = index});
        open.push_back({.first = node.first, .size = half, .parent = index});
    }
}

void CornerTree::set_bounds(Node& node, const std::vector<glm::dvec2>& points) const
{
    node.low = node.high = points[corners_[node.first]];
    for (std::uint32_t i = 1; i < node.size; ++i) {
        const glm::dvec2& p = points[corners_[node.first + i]];
        node.low = glm::min(node.low, p);
        node.high = glm::max(node.high, p);
    }
}

std::uint32_t CornerTree::split(const Node& node, const std::vector<glm::dvec2>& points)
{
    const glm::dvec2 extent = node.high - node.low;
    const int axis = extent.x >= extent.y ? 0 : 1;
    const std::uint32_t half = node.size / 2;
    const auto first = corners_.begin() + node.first;
    std::nth_element(first, first + half, first + node.size,
                     [&](std::uint32_t a, std::uint32_t b) { return points[a][axis] < points[b][axis]; });
    return half;
}

bool CornerTree::may_touch(std::uint32_t node, const TriangleQuery& query) const
{
    const Node& box = nodes_[node];
    if (box.size == 0 || query.low.x > box.high.x || query.low.y > box.high.y || query.high.x < box.low.x ||
        query.high.y < box.low.y)
        return false;
    const Triangle2& t = query.places;
    for (std::size_t i = 0; i < 3; ++i) {
        const glm::dvec2 &a = t[i], &b = t[i == 2 ? 0 : i + 1];
        // The corner of the box that is farthest on the edge's inner side.
        const glm::dvec2 farthest{b.y > a.y ? box.low.x : box.high.x, b.x > a.x ? box.high.y : box.low.y};
        if (doubled_signed_area(a, b, farthest) < 0.0) return false;
    }
    return true;
}

void CornerTree::drop(std::uint32_t leaf, std::uint32_t i)
{
    const Node& node = nodes_[leaf];
    corners_[node.first + i] = corners_[node.first + node.size - 1];
    for (std::uint32_t at = leaf; at != none; at = nodes_[at].parent)
        --nodes_[at].size;
}

} // namespace vitrine::scene
