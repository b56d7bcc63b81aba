// Joints that a clip leaves alone although the others move them.
#include <algorithm>
#include <iterator>

#include "loaders/scene/facts/motion_facts.hpp"
#include "loaders/scene/helper_nodes.hpp"

namespace vitrine::scene {
namespace {

constexpr double min_common_share = 0.75; // of the common joints: other clips are of a part of the body

// Sorted, each once.
std::vector<std::uint32_t> animated_nodes(const Scene& scene, const Clip& clip)
{
    std::vector<std::uint32_t> nodes;
    for (const Channel& channel : clip.channels)
        if (!channel.times.empty() && !channel.is_placeholder)
            nodes.push_back(file_node(scene, channel.node));
    std::ranges::sort(nodes);
    const auto repeated = std::ranges::unique(nodes);
    nodes.erase(repeated.begin(), repeated.end());
    return nodes;
}

// The nodes that all clips with keys, or all but one, animate, in order.
std::vector<std::uint32_t> common_nodes(const Scene& scene,
                                        const std::vector<std::vector<std::uint32_t>>& animated)
{
    std::vector<std::size_t> counts(scene.nodes.size());
    std::size_t with_keys = 0;
    for (const auto& nodes : animated) {
        with_keys += nodes.empty() ? 0 : 1;
        for (const auto node : nodes)
            ++counts[node];
    }
    std::vector<std::uint32_t> common;
    for (std::uint32_t node = 0; node < counts.size() && with_keys >= 2; ++node)
        if (counts[node] > 0 && counts[node] + 1 >= with_keys) common.push_back(node);
    return common;
}

} // namespace

// The work grows with the number of channels and of missing joints, not with clips times nodes.
std::vector<std::vector<std::uint32_t>> compute_missing_joints(const Scene& scene)
{
    std::vector<std::vector<std::uint32_t>> missing(scene.clips.size());
    if (scene.clips.size() < 2) return missing;
    std::vector<std::vector<std::uint32_t>> animated;
    for (const Clip& clip : scene.clips)
        animated.push_back(animated_nodes(scene, clip));
    const auto common = common_nodes(scene, animated);
    for (std::size_t i = 0; i < animated.size(); ++i) {
        const auto is_common = [&](std::uint32_t node) { return std::ranges::binary_search(common, node); };
        const auto has = static_cast<double>(std::ranges::count_if(animated[i], is_common));
        if (has >= min_common_share * static_cast<double>(common.size()))
            std::ranges::set_difference(common, animated[i], std::back_inserter(missing[i]));
    }
    return missing;
}

} // namespace vitrine::scene
