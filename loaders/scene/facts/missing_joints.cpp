// Joints that a clip leaves alone although the others move them.
#include "loaders/scene/facts/motion_facts.hpp"
#include "loaders/scene/helper_nodes.hpp"

namespace vitrine::scene {
namespace {

constexpr double min_common_share = 0.75; // of the common joints: other clips are of a part of the body

std::vector<bool> animated_nodes(const Scene& scene, const Clip& clip)
{
    std::vector<bool> nodes(scene.nodes.size());
    for (const Channel& channel : clip.channels)
        if (!channel.times.empty() && !channel.is_placeholder) nodes[file_node(scene, channel.node)] = true;
    return nodes;
}

} // namespace

std::vector<std::vector<std::uint32_t>> find_missing_joints(const Scene& scene)
{
    const std::size_t clips = scene.clips.size();
    std::vector<std::vector<std::uint32_t>> missing(clips);
    if (clips < 2) return missing;
    std::vector<std::size_t> counts(scene.nodes.size());
    std::size_t with_keys = 0;
    for (const Clip& clip : scene.clips) {
        const auto nodes = animated_nodes(scene, clip);
        bool any = false;
        for (std::size_t node = 0; node < nodes.size(); ++node) {
            counts[node] += nodes[node] ? 1 : 0;
            any = any || nodes[node];
        }
        with_keys += any ? 1 : 0;
    }
    for (std::size_t i = 0; i < clips && with_keys >= 2; ++i) {
        const auto nodes = animated_nodes(scene, scene.clips[i]);
        std::size_t common = 0;
        for (std::uint32_t node = 0; node < nodes.size(); ++node) {
            if (counts[node] + 1 < with_keys || counts[node] == 0) continue;
            ++common;
            if (!nodes[node]) missing[i].push_back(node);
        }
        const auto has = static_cast<double>(common - missing[i].size());
        if (has < min_common_share * static_cast<double>(common)) missing[i].clear();
    }
    return missing;
}

} // namespace vitrine::scene
