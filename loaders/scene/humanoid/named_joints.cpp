#include <algorithm>

#include "loaders/scene/helper_nodes.hpp"
#include "loaders/scene/humanoid/joint_name.hpp"

namespace vitrine::scene {
namespace {

constexpr std::size_t max_steps_up = 4096; // from a node toward the root
constexpr std::size_t min_deforming = 10;  // joints that a rig marks as deforming, if it does

} // namespace

NamedJoints::NamedJoints(const Scene& scene, const std::vector<bool>& is_candidate) : scene_(scene)
{
    std::vector<std::pair<std::uint32_t, JointName>> named;
    for (std::uint32_t node = 0; node < scene.nodes.size(); ++node) {
        if (!is_candidate[node]) continue;
        if (const auto name = parse_joint_name(scene.nodes[node].name)) named.emplace_back(node, *name);
    }
    const auto marked = std::ranges::count_if(named, [](const auto& n) { return n.second.is_deforming; });
    const bool only_marked = static_cast<std::size_t>(marked) >= min_deforming;
    for (const auto& [node, name] : named) {
        Nodes& list = nodes_[index(name.part, name.side)];
        if ((only_marked && !name.is_deforming) || list.size() == max_named) continue;
        list.push_back(node);
        if (name.part == BodyPart::numbered_finger) numbers_.emplace_back(node, name.number);
    }
}

NamedJoints::Nodes NamedJoints::numbered(std::uint8_t number, BodySide side) const
{
    Nodes result;
    for (const auto node : of(BodyPart::numbered_finger, side))
        if (std::ranges::find(numbers_, std::pair(node, number)) != numbers_.end()) result.push_back(node);
    return result;
}

bool NamedJoints::is_below(std::uint32_t node, std::uint32_t ancestor) const
{
    for (std::size_t step = 0; node > ancestor && node != none && step < max_steps_up; ++step) {
        node = scene_.nodes[node].parent;
        if (node == ancestor) return true;
    }
    return false;
}

std::uint32_t NamedJoints::first_below(const Nodes& list, std::uint32_t ancestor) const
{
    const auto found = std::ranges::find_if(list, [&](auto node) { return is_below(node, ancestor); });
    return ancestor == none || found == list.end() ? none : *found;
}

std::uint32_t NamedJoints::first_above(const Nodes& list, std::uint32_t node) const
{
    const auto found = std::ranges::find_if(list, [&](auto above) { return is_below(node, above); });
    return node == none || found == list.end() ? none : *found;
}

std::uint32_t NamedJoints::common_ancestor(std::uint32_t a, std::uint32_t b) const
{
    if (a == none || b == none) return a == none ? b : a;
    for (std::size_t step = 0; a != b && step < 2 * max_steps_up; ++step) {
        auto& lower = a > b ? a : b; // parents precede their children
        lower = scene_.nodes[lower].parent;
        if (lower == none) return none;
    }
    return a == b ? a : none;
}

NamedJoints::Nodes NamedJoints::between(std::uint32_t above, std::uint32_t below) const
{
    Nodes path;
    if (above == none || below == none || !is_below(below, above)) return path;
    for (auto node = scene_.nodes[below].parent; node != above; node = scene_.nodes[node].parent)
        if (!is_helper(scene_.nodes[node])) path.push_back(node);
    std::ranges::reverse(path);
    return path;
}

} // namespace vitrine::scene
