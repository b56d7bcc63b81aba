#include "loaders/dae/skin_place.hpp"

#include <algorithm>
#include <cmath>

#include "loaders/scene/pose.hpp"

namespace vitrine::dae {
namespace {

// Of a unit of length and of a direction: nothing that a person would have put there by intention is less.
constexpr double close = 1e-3;
// Joints whose bind pose is looked at: the first tells, unless somebody bends it.
constexpr std::size_t most_bind_poses = 256;

// Rest, from the node's space into that of `ancestor` (none: the scene's).
glm::dmat4 place_below(const scene::Scene& scene, std::uint32_t node, std::uint32_t ancestor)
{
    glm::dmat4 place(1.0);
    for (std::uint32_t at = node; at != ancestor && at != scene::none; at = scene.nodes[at].parent)
        place = rest_matrix(scene.nodes[at]) * place;
    return place;
}

bool alike(const glm::dmat4& a, const glm::dmat4& b)
{
    for (glm::length_t column = 0; column < 4; ++column)
        for (glm::length_t row = 0; row < 4; ++row) {
            const double size = std::max({1.0, std::abs(a[column][row]), std::abs(b[column][row])});
            if (!(std::abs(a[column][row] - b[column][row]) <= close * size)) return false;
        }
    return true;
}

// A parent stands before its children: of two nodes that differ the later one is no ancestor of the other.
std::uint32_t shared_ancestor(const scene::Scene& scene, std::uint32_t a, std::uint32_t b)
{
    while (a != b) {
        std::uint32_t& later = a > b ? a : b;
        later = scene.nodes[later].parent;
        if (later == scene::none) return scene::none;
    }
    return a;
}

// Itself or its ancestor, of those right below `ancestor` (none: the roots).
std::uint32_t branch_of(const scene::Scene& scene, std::uint32_t node, std::uint32_t ancestor)
{
    while (scene.nodes[node].parent != ancestor)
        node = scene.nodes[node].parent;
    return node;
}

} // namespace

glm::dmat4 rest_matrix(const scene::Node& node)
{
    return glm::dmat4(node.matrix ? *node.matrix : scene::to_matrix(node.local));
}

bool stands_at(const scene::Scene& scene, std::uint32_t node, const glm::dmat4& place)
{
    return alike(place_below(scene, node, scene::none), place);
}

std::vector<std::uint32_t> skeletons_to_take_along(const scene::Scene& scene, const BoundSkin& skin)
{
    std::uint32_t shared = scene.nodes[skin.node].parent;
    for (const std::uint32_t joint : skin.joints) {
        if (shared == scene::none) break;
        if (joint != skin.node) shared = shared_ancestor(scene, shared, joint);
    }
    const glm::dmat4 place = place_below(scene, skin.node, shared);
    const glm::dmat4 whole = shared == scene::none ? place : place_below(scene, skin.node, scene::none);
    if (alike(place, glm::dmat4(1.0)) || alike(place, skin.bind_shape) || alike(whole, skin.bind_shape))
        return {};
    const std::uint32_t own = branch_of(scene, skin.node, shared);
    std::vector<std::uint32_t> roots;
    for (std::size_t j = 0; j < skin.joints.size(); ++j) {
        const std::uint32_t joint = skin.joints[j];
        if (joint == skin.node) continue;
        if (joint == shared) return {};
        if (j < most_bind_poses &&
            alike(place_below(scene, joint, shared) * glm::dmat4(skin.inverse_bind[j]), place))
            return {};
        const std::uint32_t root = branch_of(scene, joint, shared);
        if (root == own) return {};
        if (std::ranges::find(roots, root) == roots.end()) roots.push_back(root);
    }
    return roots;
}

} // namespace vitrine::dae
