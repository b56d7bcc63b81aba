#include "loaders/dae/controllers/controllers.hpp"

#include <algorithm>

#include "loaders/dae/animation/animation_target.hpp"

namespace vitrine::dae {
namespace {

// Total cost limit of all searches; names may repeat arbitrarily often in a hostile file.
constexpr std::uint64_t max_steps = 50'000'000;

} // namespace

void JointFinder::index_nodes()
{
    for (; indexed_ < tree_.instances().size(); ++indexed_) {
        if (tree_.instances()[indexed_].is_copy) continue;
        const io::XmlNode dom = tree_.instances()[indexed_].dom;
        const auto index = static_cast<std::uint32_t>(indexed_);
        if (const auto sid = dom.attribute("sid"); !sid.empty()) by_sid_[sid].push_back(index);
        if (const auto name = dom.attribute("name"); !name.empty()) by_name_[name].push_back(index);
    }
}

// Finds an id, or an id and sids below it: "hips/spine" (SIDREF of 1.5).
io::XmlNode JointFinder::find_element(std::string_view name, io::XmlNode skin)
{
    if (!name.contains('/')) return documents_.find_id(skin, name);
    AnimationTarget path = parse_target(name);
    return find_target(path, skin, documents_);
}

// Searches by sid, or by id where the skin uses ids; then by other identifiers.
std::uint32_t JointFinder::find(const SkinJoints& joints, std::string_view name, io::XmlNode skin,
                                const std::vector<SkeletonRoot>& roots, std::uint32_t drawn)
{
    index_nodes();
    const std::vector<std::uint32_t>& by_id = tree_.instances_of(find_element(name, skin));
    const auto listed = [&](const auto& map) -> const std::vector<std::uint32_t>* {
        const auto found = map.find(name);
        return found == map.end() ? nullptr : &found->second;
    };
    const std::vector<std::uint32_t>* orders[] = {joints.are_ids ? &by_id : listed(by_sid_),
                                                  joints.are_ids ? listed(by_sid_) : &by_id,
                                                  listed(by_name_)};
    for (const auto* candidates : orders)
        if (candidates != nullptr && !candidates->empty()) return nearest(*candidates, roots, drawn);
    return scene::none;
}

// Returns the skeleton that contains the node, and the depth below it.
JointFinder::Fit JointFinder::fit_of(std::uint32_t node, const std::vector<SkeletonRoot>& roots)
{
    Fit best{roots.size(), 0};
    std::uint32_t depth = 0;
    for (std::uint32_t at = node; at != scene::none && search_steps_ < max_steps;
         at = scene_.nodes[at].parent, ++depth) {
        search_steps_ += roots.size() + 1;
        const auto root = std::ranges::find(roots, at, &SkeletonRoot::node);
        if (root != roots.end()) best = std::min(best, Fit{root->skeleton, depth});
    }
    return best;
}

// Parents precede their children, so the later of two nodes is not an ancestor of the other. A later common
// ancestor is a nearer one; 0 means none, so nodes are counted from 1.
std::uint32_t JointFinder::common_ancestor(std::uint32_t a, std::uint32_t b)
{
    while (a != b && search_steps_++ < max_steps) {
        std::uint32_t& later = a > b ? a : b;
        later = scene_.nodes[later].parent;
        if (later == scene::none) return 0;
    }
    return a == b ? a + 1 : 0;
}

// Returns the shallowest candidate below the first skeleton that contains any (sids are searched breadth
// first). For a <node> with several placements, each copy of a mesh uses the joint placed together with it:
// the nearest relative of the drawing node.
std::uint32_t JointFinder::nearest(const std::vector<std::uint32_t>& candidates,
                                   const std::vector<SkeletonRoot>& roots, std::uint32_t drawn)
{
    const std::vector<NodeInstance>& instances = tree_.instances();
    if (candidates.size() == 1 || search_steps_ >= max_steps) return instances[candidates.front()].node;
    std::vector<Fit> fits;
    fits.reserve(candidates.size());
    for (const std::uint32_t candidate : candidates)
        fits.push_back(fit_of(instances[candidate].node, roots));
    const auto best_fit = static_cast<std::size_t>(std::ranges::min_element(fits) - fits.begin());
    const bool below_none = fits[best_fit].skeleton == roots.size();
    std::uint32_t best = instances[candidates[best_fit]].node;
    std::uint32_t closest = common_ancestor(best, drawn);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const NodeInstance& other = instances[candidates[i]];
        const bool same = below_none || other.dom == instances[candidates[best_fit]].dom;
        if (!same || fits[i].skeleton != fits[best_fit].skeleton) continue;
        const std::uint32_t shared = common_ancestor(other.node, drawn);
        if (shared <= closest) continue;
        closest = shared;
        best = other.node;
    }
    return best;
}

} // namespace vitrine::dae
