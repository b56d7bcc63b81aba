#include <algorithm>
#include <optional>
#include <utility>

#include "loaders/scene/geometry/geometry.hpp"

namespace vitrine::scene {
namespace {

// Children of each node in file order, concatenated; the roots are last, as children of node n.
struct Children {
    std::vector<std::uint32_t> first;
    std::vector<std::uint32_t> nodes;
};

std::optional<Children> find_children(const std::vector<Node>& nodes)
{
    const std::size_t n = nodes.size();
    const auto slot = [n](const Node& node) { return node.parent == none ? n : std::size_t{node.parent}; };
    Children out{std::vector<std::uint32_t>(n + 2, 0), std::vector<std::uint32_t>(n)};
    for (const Node& node : nodes) {
        if (slot(node) > n || (node.parent != none && node.parent >= n)) return std::nullopt;
        ++out.first[slot(node) + 1];
    }
    for (std::size_t i = 1; i < out.first.size(); ++i)
        out.first[i] += out.first[i - 1];
    std::vector<std::uint32_t> next(out.first.begin(), out.first.end() - 1);
    for (std::uint32_t i = 0; i < n; ++i)
        out.nodes[next[slot(nodes[i])]++] = i;
    return out;
}

// Old indices in depth-first order. Nodes of a cycle have no root and are missing.
std::vector<std::uint32_t> depth_first(const Children& children, std::size_t n)
{
    std::vector<std::uint32_t> order;
    std::vector<std::uint32_t> stack;
    const auto push_children = [&](std::size_t of) {
        for (std::uint32_t i = children.first[of + 1]; i > children.first[of]; --i)
            stack.push_back(children.nodes[i - 1]);
    };
    push_children(n);
    while (!stack.empty()) {
        const std::uint32_t node = stack.back();
        stack.pop_back();
        order.push_back(node);
        push_children(node);
    }
    return order;
}

} // namespace

bool sort_nodes(Scene& scene)
{
    const std::size_t n = scene.nodes.size();
    const std::optional<Children> children = find_children(scene.nodes);
    if (!children) return false;
    const std::vector<std::uint32_t> order = depth_first(*children, n);
    if (order.size() != n) return false;
    std::vector<std::uint32_t> place(n);
    for (std::uint32_t i = 0; i < n; ++i)
        place[order[i]] = i;
    const auto move = [&](std::uint32_t& index) {
        if (index < n) index = place[index];
    };
    std::vector<Node> sorted;
    sorted.reserve(n);
    for (const std::uint32_t old : order)
        sorted.push_back(std::move(scene.nodes[old]));
    scene.nodes = std::move(sorted);
    for (Node& node : scene.nodes) {
        move(node.parent);
        move(node.helper_of);
    }
    for (Skin& skin : scene.skins)
        std::ranges::for_each(skin.joints, move);
    for (Clip& clip : scene.clips) {
        for (Channel& channel : clip.channels)
            move(channel.node);
    }
    if (!scene.vrm) return true;
    for (FirstPersonMesh& mesh : scene.vrm->first_person)
        move(mesh.node);
    for (VrmExpression& expression : scene.vrm->expressions)
        for (ExpressionWeight& weight : expression.weights)
            move(weight.node);
    return true;
}

} // namespace vitrine::scene
