// Joints by names, hierarchy and proportions.

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <ranges>
#include <tuple>

#include "loaders/scene/humanoid/rig_signature.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/preview/bone_geometry.hpp"
#include "loaders/scene/similarity/similarity.hpp"

namespace vitrine::scene {
namespace {

constexpr std::size_t min_joints = 3;
constexpr std::size_t bands =
    4; // of two least hashes each: rigs that share 8 of 10 joints meet in one with 98 %

// The finalizer of MurmurHash3 (Appleby, public domain), of a pair.
std::uint32_t mix(std::uint64_t a, std::uint64_t b)
{
    std::uint64_t h = a * 0x9e3779b97f4a7c15u + b;
    h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdu;
    h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53u;
    return static_cast<std::uint32_t>(h ^ (h >> 33));
}

// By joint: its nearest joint above, by its place in the list; none: a root.
std::vector<std::uint32_t> parents_of(const Scene& scene, const std::vector<std::uint32_t>& joints)
{
    std::vector<std::uint32_t> place(scene.nodes.size(), none), parents;
    for (std::uint32_t i = 0; i < joints.size(); ++i)
        place[joints[i]] = i;
    for (std::uint32_t node = 0; node < scene.nodes.size(); ++node) { // parents precede their children
        const auto parent = scene.nodes[node].parent;
        if (place[node] == none && parent != none) place[node] = place[parent];
    }
    for (const auto joint : joints) {
        const auto parent = scene.nodes[joint].parent;
        parents.push_back(parent == none ? none : place[parent]);
    }
    return parents;
}

// Hashes of the hierarchies below the joints; the order of children does not matter.
std::vector<std::uint32_t> branches_of(const std::vector<std::uint32_t>& parents)
{
    std::vector<std::vector<std::uint32_t>> below(parents.size());
    std::vector<std::uint32_t> branches(parents.size());
    for (std::size_t i = parents.size(); i-- > 0;) {
        std::ranges::sort(below[i]);
        std::uint32_t hash = 1;
        for (const auto child : below[i])
            hash = mix(hash, child);
        branches[i] = hash;
        if (parents[i] != none) below[parents[i]].push_back(hash);
    }
    return branches;
}

struct LinkMatch {
    std::uint32_t shared = 0;
    double proportions = 0.0;
};

using LengthPair = std::pair<double, double>;

// Of joints with one link.
std::vector<LengthPair> pair_links(const RigLikeness& a, const RigLikeness& b)
{
    std::map<std::uint32_t, std::vector<float>> by_link;
    for (const auto& joint : b.joints)
        by_link[joint.link].push_back(joint.length);
    for (auto& [link, lengths] : by_link)
        std::ranges::sort(lengths, std::greater()); // the least ones are taken from the end
    std::vector<LengthPair> pairs;
    for (const auto& joint : a.joints) {
        const auto found = by_link.find(joint.link);
        if (found == by_link.end() || found->second.empty()) continue;
        pairs.emplace_back(joint.length, found->second.back());
        found->second.pop_back();
    }
    return pairs;
}

// Relative to what both have in common: further joints change the mean length.
LinkMatch match_links(const RigLikeness& a, const RigLikeness& b)
{
    const auto pairs = pair_links(a, b);
    LinkMatch match{.shared = static_cast<std::uint32_t>(pairs.size())};
    double of_a = 0.0, of_b = 0.0, difference = 0.0;
    for (const auto& [length, other] : pairs) {
        of_a += length;
        of_b += other;
    }
    if (!(of_a > 0.0) || !(of_b > 0.0)) return match;
    for (const auto& [length, other] : pairs)
        difference += std::abs(length / of_a - other / of_b);
    match.proportions = difference;
    return match;
}

// Both lists are ascending by branch and length, so that joints of equal hierarchies are in equal places.
std::optional<double> compare_hierarchies(const RigLikeness& a, const RigLikeness& b)
{
    if (!std::ranges::equal(a.joints, b.joints, {}, &RigJoint::branch, &RigJoint::branch))
        return std::nullopt;
    double difference = 0.0, all = 0.0;
    for (std::size_t i = 0; i < a.joints.size(); ++i) {
        difference += std::abs(a.joints[i].length - b.joints[i].length);
        all += std::max(a.joints[i].length, b.joints[i].length);
    }
    return all > 0.0 ? difference / all : 0.0;
}

std::uint32_t hierarchy_of(const RigLikeness& rig)
{
    std::uint32_t hash = 0;
    for (const auto& joint : rig.joints)
        hash = mix(hash, joint.branch);
    return hash;
}

} // namespace

std::optional<RigLikeness> rig_likeness(const Scene& scene)
{
    auto joints = skeleton_joints(scene);
    if (joints.size() < min_joints) return std::nullopt;
    if (joints.size() > max_alike_joints) joints.resize(max_alike_joints);
    const auto parents = parents_of(scene, joints);
    const auto branches = branches_of(parents);
    Pose pose;
    static_pose(scene, pose);
    RigLikeness rig;
    double sum = 0.0;
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const auto parent = parents[i];
        const auto hash = [&](std::uint32_t at) { return joint_name_hash(scene.nodes[joints[at]].name); };
        const float length = parent == none ? 0.0f
                                            : glm::distance(glm::vec3(pose.model[joints[i]][3]),
                                                            glm::vec3(pose.model[joints[parent]][3]));
        rig.joints.push_back(
            {.link = mix(hash(static_cast<std::uint32_t>(i)), parent == none ? 0 : hash(parent)),
             .length = length,
             .branch = branches[i]});
        sum += length;
    }
    if (!std::isfinite(sum)) return std::nullopt;
    const auto mean = static_cast<float>(sum / static_cast<double>(joints.size()));
    for (auto& joint : rig.joints)
        joint.length = mean > 0.0f ? joint.length / mean : 0.0f;
    std::ranges::sort(rig.joints, {},
                      [](const RigJoint& j) { return std::tuple(j.branch, j.length, j.link); });
    return rig;
}

std::vector<std::int64_t> buckets_of(const RigLikeness& rig)
{
    std::vector<std::int64_t> buckets;
    constexpr std::int64_t kinds = bands + 1;
    buckets.push_back(std::int64_t{hierarchy_of(rig)} * kinds);
    for (std::uint32_t band = 0; band < bands; ++band) {
        std::uint32_t least[2] = {~0u, ~0u};
        for (const auto& joint : rig.joints)
            for (std::uint32_t i = 0; i < 2; ++i)
                least[i] = std::min(least[i], mix(joint.link, 2 * band + i + 1));
        buckets.push_back(std::int64_t{mix(least[0], least[1])} * kinds + band + 1);
    }
    return buckets;
}

std::optional<RigMatch> compare(const RigLikeness& a, const RigLikeness& b)
{
    constexpr double min_score = 0.5, max_hierarchy_difference = 0.1;
    const auto links = match_links(a, b);
    const auto all = static_cast<double>(a.joints.size() + b.joints.size() - links.shared);
    const double share = links.shared / all;
    const double by_name = share * (1.0 - std::min(links.proportions, 1.0));
    const auto hierarchy = compare_hierarchies(a, b);
    if (hierarchy && *hierarchy <= max_hierarchy_difference && share < 0.9) {
        const double score = 0.9 - 4.0 * *hierarchy; // other names
        if (score > by_name)
            return RigMatch{.score = score,
                            .shared = static_cast<std::uint32_t>(a.joints.size()),
                            .proportions = *hierarchy,
                            .has_same_names = false};
    }
    if (by_name < min_score || links.shared < min_joints) return std::nullopt;
    return RigMatch{
        .score = by_name, .shared = links.shared, .proportions = links.proportions, .has_same_names = true};
}

} // namespace vitrine::scene
