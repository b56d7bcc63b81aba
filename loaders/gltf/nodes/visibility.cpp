#include "loaders/gltf/nodes/visibility.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "loaders/gltf/document/animation_pointers.hpp"
#include "loaders/io/limits.hpp"

namespace vitrine::gltf {
namespace {

scene::Channel steps_of_scale()
{
    scene::Channel channel;
    channel.path = scene::Path::scale;
    channel.interpolation = scene::Interpolation::step;
    return channel;
}

void add_key(scene::Channel& channel, float time, bool shown)
{
    channel.times.push_back(time);
    channel.values.insert(channel.values.end(), 3, shown ? 1.0f : 0.0f);
}

// Visible where all are. Before its first key a node has that key's value.
scene::Channel all_of(const std::vector<const VisibilityKeys*>& chain)
{
    struct Event {
        float time;
        std::size_t link, key;
        bool shown;
    };
    std::vector<Event> events;
    std::vector<bool> is_hidden;
    for (const VisibilityKeys* keys : chain) {
        for (std::size_t i = 0; i < keys->times.size(); ++i)
            events.push_back({keys->times[i], is_hidden.size(), i, keys->shown[i] != 0.0f});
        is_hidden.push_back(keys->shown.front() == 0.0f);
    }
    std::ranges::sort(events, {}, [](const Event& e) { return std::tuple(e.time, e.link, e.key); });
    auto hidden = std::ranges::count(is_hidden, true);
    scene::Channel channel = steps_of_scale();
    for (std::size_t i = 0; i < events.size(); ++i) {
        const auto& [time, link, key, shown] = events[i];
        hidden += static_cast<int>(!shown) - static_cast<int>(is_hidden[link]);
        is_hidden[link] = !shown;
        if (i + 1 == events.size() || events[i + 1].time != time) add_key(channel, time, hidden == 0);
    }
    return channel;
}

class VisibilityAnimator {
public:
    VisibilityAnimator(Document& document, const std::vector<VisibilityKeys>& keys, scene::Scene& scene)
        : document_(document), scene_(scene), nodes_(document.list("nodes")),
          hiding_(find_visibility_animated_nodes(document)), above_(scene.nodes.size(), unknown)
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
            const std::uint32_t hiding = nearest(n);
            if (hiding == scene::none) continue;
            if (node.skin != scene::none)
                document_.warnings().add("unsupported_animation",
                                         "a skinned mesh has animated visibility; it is shown throughout",
                                         fmt::format("/nodes/{}", n));
            else if (auto hidden = hide(n, hiding); !hidden)
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
    static constexpr std::size_t max_chain_length = 64; // hostile files nest very deep

    // Returns the nearest hiding node, itself or an ancestor.
    std::uint32_t nearest(std::uint32_t node)
    {
        std::vector<std::uint32_t> path;
        std::uint32_t at = node;
        while (at != scene::none && above_[at] == unknown && !hiding_.contains(at) &&
               path.size() <= above_.size()) { // cycles are rejected later
            path.push_back(at);
            at = scene_.nodes[at].parent;
        }
        const bool is_known = at == scene::none || hiding_.contains(at);
        const std::uint32_t found = is_known ? at : above_[at];
        for (const std::uint32_t below : path)
            above_[below] = found == unknown ? scene::none : found;
        return found == unknown ? scene::none : found;
    }

    LoadResult<void> hide(std::uint32_t node, std::uint32_t hiding)
    {
        const std::uint64_t limit = document_.budget().limits().nodes;
        if (scene_.nodes.size() >= limit) return io::limit_exceeded_error("/nodes", "nodes", limit);
        const auto child = static_cast<std::uint32_t>(scene_.nodes.size());
        scene::Node drawn;
        drawn.name = scene_.nodes[node].name + ".visibility";
        drawn.parent = node;
        drawn.helper_of = node;
        drawn.mesh = std::exchange(scene_.nodes[node].mesh, scene::none);
        drawn.color = std::exchange(scene_.nodes[node].color, glm::vec4(1.0f));
        drawn.morph_weights = std::exchange(scene_.nodes[node].morph_weights, {});
        scene_.nodes.push_back(std::move(drawn));
        moved_[node] = child;
        for (std::uint32_t clip = 0; clip < scene_.clips.size(); ++clip)
            if (auto added = add_channel(clip, child, hiding); !added) return added;
        return {};
    }

    // Everything that one node hides has the same visibility: for the second and later nodes the first
    // channel is copied.
    LoadResult<void> add_channel(std::uint32_t clip, std::uint32_t child, std::uint32_t hiding)
    {
        auto& channels = scene_.clips[clip].channels;
        const auto [known, is_new] = hiding_channels_.try_emplace({clip, hiding});
        HidingChannel& hidden_by = known->second;
        std::optional<scene::Channel> channel;
        if (is_new)
            channel = make_channel(clip, hiding, hidden_by.keys);
        else if (hidden_by.channel)
            channel = channels[*hidden_by.channel];
        // One channel per clip and mesh, so each counts as many keys.
        constexpr std::uint64_t channel_cost = 64;
        if (auto taken = document_.budget().take_keys(hidden_by.keys + channel_cost, "/animations"); !taken)
            return taken;
        if (!channel) return {};
        channel->node = child;
        hidden_by.channel = channels.size();
        channels.push_back(*std::move(channel));
        return {};
    }

    // Returns nullopt when the clip hides nothing. `keys`: total number of keys along the ancestors.
    std::optional<scene::Channel> make_channel(std::uint32_t clip, std::uint32_t hiding, std::uint64_t& keys)
    {
        std::vector<const VisibilityKeys*> chain;
        bool rests_hidden = false;
        std::uint32_t at = hiding;
        for (std::size_t links = 0; at != scene::none && links < max_chain_length; ++links) {
            if (const auto found = keys_.find({clip, at}); found != keys_.end()) {
                chain.push_back(found->second);
                keys += found->second->times.size();
            } else {
                rests_hidden = rests_hidden || is_hidden_at_rest(at);
            }
            const std::uint32_t parent = scene_.nodes[at].parent;
            at = parent == scene::none ? parent : nearest(parent);
        }
        if (!rests_hidden) return chain.empty() ? std::nullopt : std::optional(all_of(chain));
        scene::Channel hidden = steps_of_scale();
        add_key(hidden, 0.0f, false);
        return hidden;
    }

    bool is_hidden_at_rest(std::uint32_t node)
    {
        const auto [known, is_new] = rests_hidden_.try_emplace(node);
        if (is_new)
            known->second = nodes_[node]["extensions"]["KHR_node_visibility"]["visible"].boolean() == false;
        return known->second;
    }

    // For one clip and hiding node.
    struct HidingChannel {
        std::uint64_t keys = 0;
        std::optional<std::size_t> channel; // index in the clip; nullopt when the visibility is constant
    };

    Document& document_;
    scene::Scene& scene_;
    io::JsonValue nodes_;
    std::set<std::uint32_t> hiding_;
    std::vector<std::uint32_t> above_; // by node: the nearest hiding ancestor
    std::map<std::pair<std::uint32_t, std::uint32_t>, const VisibilityKeys*> keys_;    // by clip and node
    std::map<std::pair<std::uint32_t, std::uint32_t>, HidingChannel> hiding_channels_; // by clip and node
    std::map<std::uint32_t, bool> rests_hidden_;                                       // by hiding node
    std::map<std::uint32_t, std::uint32_t> moved_; // to the nodes that draw
};

} // namespace

std::set<std::uint32_t> find_visibility_animated_nodes(Document& document)
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
    return VisibilityAnimator(document, keys, scene).run();
}

} // namespace vitrine::gltf
