#include "loaders/gltf/visibility.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "loaders/gltf/pointers.hpp"
#include "loaders/io/limits.hpp"

namespace vitrine::gltf {
namespace {

bool is_shown(const VisibilityKeys& keys, float time)
{
    const auto after = std::ranges::upper_bound(keys.times, time);
    const auto key = static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - keys.times.begin() - 1, 0));
    return keys.shown[key] != 0.0f;
}

class Hider {
public:
    Hider(Document& document, const std::vector<VisibilityKeys>& keys, scene::Scene& scene)
        : document_(document), scene_(scene), nodes_(document.list("nodes")),
          hiding_(nodes_that_hide(document)), above_(scene.nodes.size(), unknown)
    {
        for (const VisibilityKeys& found : keys)
            keys_[{found.clip, found.node}] = &found;
    }

    LoadResult<void> run()
    {
        const auto count = static_cast<std::uint32_t>(scene_.nodes.size());
        for (std::uint32_t n = 0; n < count; ++n) {
            const scene::Node& node = scene_.nodes[n];
            if (node.mesh == scene::none || !node.visible) continue;
            const std::vector<std::uint32_t> chain = hiding_at_or_above(n);
            if (chain.empty()) continue;
            if (node.skin != scene::none)
                document_.warnings().add("unsupported_animation",
                                         "a skinned mesh that is hidden for a while is shown throughout",
                                         fmt::format("/nodes/{}", n));
            else if (auto hidden = hide(n, chain); !hidden)
                return hidden;
        }
        for (scene::Clip& clip : scene_.clips)
            for (scene::Channel& channel : clip.channels)
                if (const auto moved = moved_.find(channel.node);
                    moved != moved_.end() && channel.path == scene::Path::weights)
                    channel.node = moved->second;
        return {};
    }

private:
    static constexpr std::uint32_t unknown = scene::none - 1;
    static constexpr std::size_t longest_chain = 64; // hostile files nest without end

    // The nearest node that hides, this one or above it.
    std::uint32_t nearest(std::uint32_t node)
    {
        std::vector<std::uint32_t> path;
        std::uint32_t at = node;
        while (at != scene::none && above_[at] == unknown && !hiding_.contains(at) &&
               path.size() <= above_.size()) { // a cycle is refused later
            path.push_back(at);
            at = scene_.nodes[at].parent;
        }
        const bool is_known = at == scene::none || hiding_.contains(at);
        const std::uint32_t found = is_known ? at : above_[at];
        for (const std::uint32_t below : path)
            above_[below] = found == unknown ? scene::none : found;
        return found == unknown ? scene::none : found;
    }

    std::vector<std::uint32_t> hiding_at_or_above(std::uint32_t node)
    {
        std::vector<std::uint32_t> chain;
        for (std::uint32_t at = nearest(node); at != scene::none && chain.size() < longest_chain;) {
            chain.push_back(at);
            const std::uint32_t parent = scene_.nodes[at].parent;
            at = parent == scene::none ? parent : nearest(parent);
        }
        return chain;
    }

    LoadResult<void> hide(std::uint32_t node, const std::vector<std::uint32_t>& chain)
    {
        const std::uint64_t limit = document_.budget().limits().nodes;
        if (scene_.nodes.size() >= limit) return io::over_limit("/nodes", "nodes", limit);
        const auto child = static_cast<std::uint32_t>(scene_.nodes.size());
        scene::Node drawn;
        drawn.name = scene_.nodes[node].name + ".visibility";
        drawn.parent = node;
        drawn.mesh = std::exchange(scene_.nodes[node].mesh, scene::none);
        drawn.morph_weights = std::exchange(scene_.nodes[node].morph_weights, {});
        scene_.nodes.push_back(std::move(drawn));
        moved_[node] = child;
        for (std::uint32_t clip = 0; clip < scene_.clips.size(); ++clip)
            if (auto added = add_channel(clip, child, chain); !added) return added;
        return {};
    }

    LoadResult<void> add_channel(std::uint32_t clip, std::uint32_t child,
                                 const std::vector<std::uint32_t>& chain)
    {
        std::vector<float> times;
        bool rests_hidden = false;
        for (const std::uint32_t node : chain)
            if (const auto found = keys_.find({clip, node}); found != keys_.end())
                times.insert(times.end(), found->second->times.begin(), found->second->times.end());
            else
                rests_hidden |= is_hidden_at_rest(node);
        // A channel in every clip for every mesh: each is counted as if it had many keys.
        constexpr std::size_t cost_of_channel = 64;
        if (auto taken = document_.budget().take_keys(times.size() + cost_of_channel, "/animations"); !taken)
            return taken;
        if (times.empty() && !rests_hidden) return {};
        if (times.empty() || rests_hidden) times = {0.0f};
        std::ranges::sort(times);
        const auto repeated = std::ranges::unique(times);
        times.erase(repeated.begin(), repeated.end());
        scene::Channel channel;
        channel.node = child;
        channel.path = scene::Path::scale;
        channel.interpolation = scene::Interpolation::step;
        for (const float time : times) {
            const bool shown = !rests_hidden && std::ranges::all_of(chain, [&](std::uint32_t node) {
                const auto found = keys_.find({clip, node});
                return found == keys_.end() || is_shown(*found->second, time);
            });
            channel.times.push_back(time);
            channel.values.insert(channel.values.end(), 3, shown ? 1.0f : 0.0f);
        }
        scene_.clips[clip].channels.push_back(std::move(channel));
        return {};
    }

    bool is_hidden_at_rest(std::uint32_t node)
    {
        return nodes_[node]["extensions"]["KHR_node_visibility"]["visible"].boolean() == false;
    }

    Document& document_;
    scene::Scene& scene_;
    io::JsonValue nodes_;
    std::set<std::uint32_t> hiding_;
    std::vector<std::uint32_t> above_; // by node: the nearest that hides
    std::map<std::pair<std::uint32_t, std::uint32_t>, const VisibilityKeys*> keys_; // by clip and node
    std::map<std::uint32_t, std::uint32_t> moved_;                                  // to the nodes that draw
};

} // namespace

std::set<std::uint32_t> nodes_that_hide(Document& document)
{
    std::set<std::uint32_t> nodes;
    for (const io::JsonValue animation : document.list("animations"))
        for (const io::JsonValue channel : animation["channels"])
            if (const auto node = parse_visibility_pointer(pointer_of(channel["target"]));
                node && *node < document.list("nodes").size())
                nodes.insert(*node);
    return nodes;
}

LoadResult<void> animate_visibility(Document& document, const std::vector<VisibilityKeys>& keys,
                                    scene::Scene& scene)
{
    if (keys.empty()) return {};
    return Hider(document, keys, scene).run();
}

} // namespace vitrine::gltf
