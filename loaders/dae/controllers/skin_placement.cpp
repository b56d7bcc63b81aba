#include "loaders/dae/controllers/skin_placement.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "loaders/scene/motion/pose.hpp"

namespace vitrine::dae {
namespace {

// Relative to a unit of length and of a direction; smaller differences are not intentional.
constexpr double placement_tolerance = 1e-3;
// Limit on joints whose bind pose is compared; normally the first one decides.
constexpr std::size_t max_bind_poses = 256;

// Returns the static transform from the node's space to that of `ancestor` (none: the scene).
glm::dmat4 place_below(const scene::Scene& scene, std::uint32_t node, std::uint32_t ancestor,
                       std::uint64_t& steps)
{
    glm::dmat4 place(1.0);
    for (std::uint32_t at = node; at != ancestor && at != scene::none; at = scene.nodes[at].parent, ++steps)
        place = static_matrix(scene.nodes[at]) * place;
    return place;
}

bool alike(const glm::dmat4& a, const glm::dmat4& b)
{
    for (glm::length_t column = 0; column < 4; ++column)
        for (glm::length_t row = 0; row < 4; ++row) {
            const double size = std::max({1.0, std::abs(a[column][row]), std::abs(b[column][row])});
            if (!(std::abs(a[column][row] - b[column][row]) <= placement_tolerance * size)) return false;
        }
    return true;
}

// Finds the nearest ancestor that a node shares with joints, added one by one. Joints share most of their
// path to the root, which is walked once.
// common, which is gone once.
class SharedAncestor {
public:
    SharedAncestor(const scene::Scene& scene, std::uint32_t node) : scene_(scene), shared_(node) {}

    std::uint32_t node() const { return shared_; }
    // Parents precede their children: the later of two different nodes is not an ancestor of the other.
    void add(std::uint32_t joint, std::uint64_t& steps)
    {
        while (shared_ != scene::none && joint != shared_) {
            ++steps;
            if (joint < shared_) {
                shared_ = scene_.nodes[shared_].parent;
                continue;
            }
            if (!below_.insert(joint).second) return;
            joint = scene_.nodes[joint].parent;
            if (joint == scene::none) shared_ = scene::none;
        }
    }

private:
    const scene::Scene& scene_;
    std::uint32_t shared_;
    std::unordered_set<std::uint32_t> below_;
};

// Returns the node or its ancestor directly below `ancestor` (none: a root); none when the path contains a
// node of `visited`.
std::uint32_t find_branch(const scene::Scene& scene, std::uint32_t node, std::uint32_t ancestor,
                          std::unordered_set<std::uint32_t>& visited, std::uint64_t& steps)
{
    while (visited.insert(node).second) {
        ++steps;
        if (scene.nodes[node].parent == ancestor) return node;
        node = scene.nodes[node].parent;
    }
    return scene::none;
}

} // namespace

glm::dmat4 static_matrix(const scene::Node& node)
{
    return glm::dmat4(node.matrix ? *node.matrix : scene::to_matrix(node.local));
}

bool is_placed_at(const scene::Scene& scene, std::uint32_t node, const glm::dmat4& place)
{
    std::uint64_t steps = 0;
    return alike(place_below(scene, node, scene::none, steps), place);
}

MovingSkeletonRoots find_moving_skeleton_roots(const scene::Scene& scene, const BoundSkin& skin)
{
    MovingSkeletonRoots out;
    SharedAncestor ancestor(scene, scene.nodes[skin.node].parent);
    for (const std::uint32_t joint : skin.joints)
        if (joint != skin.node) ancestor.add(joint, out.steps);
    const std::uint32_t shared = ancestor.node();
    const glm::dmat4 place = place_below(scene, skin.node, shared, out.steps);
    const glm::dmat4 whole =
        shared == scene::none ? place : place_below(scene, skin.node, scene::none, out.steps);
    if (alike(place, glm::dmat4(1.0)) || alike(place, skin.bind_shape) || alike(whole, skin.bind_shape))
        return out;
    std::unordered_set<std::uint32_t> visited;
    const std::uint32_t own = find_branch(scene, skin.node, shared, visited, out.steps);
    visited.clear();
    std::vector<std::uint32_t> roots;
    for (std::size_t j = 0; j < skin.joints.size(); ++j) {
        const std::uint32_t joint = skin.joints[j];
        if (joint == skin.node) continue;
        if (joint == shared) return out;
        if (j < max_bind_poses &&
            alike(place_below(scene, joint, shared, out.steps) * glm::dmat4(skin.inverse_bind[j]), place))
            return out;
        const std::uint32_t root = find_branch(scene, joint, shared, visited, out.steps);
        if (root == own) return out;
        if (root != scene::none) roots.push_back(root);
    }
    out.roots = std::move(roots);
    return out;
}

} // namespace vitrine::dae
