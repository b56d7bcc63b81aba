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
scene::Channel combined_channel(const std::vector<const VisibilityKeys*>& chain)
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

// Moves each mesh below a node with animated visibility (its controller) to a new child node, whose scale is
// 0 while the mesh is hidden.
class VisibilityAnimator {
public:
    VisibilityAnimator(Document& document, const std::vector<VisibilityKeys>& keys, scene::Scene& scene)
        : document_(document), scene_(scene), nodes_(document.list("nodes")),
          animated_nodes_(find_visibility_animated_nodes(document)), controllers_(scene.nodes.size(), unknown)
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
            const std::uint32_t controller = nearest_controller(n);
            if (controller == scene::none) continue;
            if (node.skin != scene::none)
                document_.warnings().add("unsupported_animation",
                                         "a skinned mesh has animated visibility; it is shown throughout",
                                         fmt::format("/nodes/{}", n));
            else if (auto hidden = move_to_visibility_node(n, controller); !hidden)
                return hidden;
        }
        for (scene::Clip& clip : scene_.clips)
            for (scene::Channel& channel : clip.channels)
                if (const auto moved = drawing_nodes_.find(channel.node);
                    moved != drawing_nodes_.end() && channel.path == scene::Path::weights)
                    channel.node = moved->second;
        return {};
    }

private:
    static constexpr std::uint32_t unknown = scene::none - 1;
    static constexpr std::size_t max_chain_length = 64; // hostile files nest very deep

    // Returns the nearest controller node, itself or an ancestor.
    std::uint32_t nearest_controller(std::uint32_t node)
    {
        std::vector<std::uint32_t> path;
        std::uint32_t at = node;
        while (at != scene::none && controllers_[at] == unknown && !animated_nodes_.contains(at) &&
               path.size() <= controllers_.size()) { // cycles are rejected later
            path.push_back(at);
            at = scene_.nodes[at].parent;
        }
        const bool is_known = at == scene::none || animated_nodes_.contains(at);
        const std::uint32_t found = is_known ? at : controllers_[at];
        for (const std::uint32_t below : path)
            controllers_[below] = found == unknown ? scene::none : found;
        return found == unknown ? scene::none : found;
    }

    LoadResult<void> move_to_visibility_node(std::uint32_t node, std::uint32_t controller)
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
        drawing_nodes_[node] = child;
        for (std::uint32_t clip = 0; clip < scene_.clips.size(); ++clip)
            if (auto added = add_channel(clip, child, controller); !added) return added;
        return {};
    }

    // Everything that one node hides has the same visibility: for the second and later nodes the first
    // channel is copied.
    LoadResult<void> add_channel(std::uint32_t clip, std::uint32_t child, std::uint32_t controller)
    {
        auto& channels = scene_.clips[clip].channels;
        const auto [known, is_new] = controller_channels_.try_emplace({clip, controller});
        ControllerChannel& controlled = known->second;
        std::optional<scene::Channel> channel;
        if (is_new)
            channel = make_channel(clip, controller, controlled.keys);
        else if (controlled.channel)
            channel = channels[*controlled.channel];
        // One channel per clip and mesh, so each counts as many keys.
        constexpr std::uint64_t channel_cost = 64;
        if (auto taken = document_.budget().take_keys(controlled.keys + channel_cost, "/animations"); !taken)
            return taken;
        if (!channel) return {};
        channel->node = child;
        controlled.channel = channels.size();
        channels.push_back(*std::move(channel));
        return {};
    }

    // Returns nullopt when the clip hides nothing. `keys`: total number of keys along the ancestors.
    std::optional<scene::Channel> make_channel(std::uint32_t clip, std::uint32_t controller,
                                               std::uint64_t& keys)
    {
        std::vector<const VisibilityKeys*> chain;
        bool is_hidden = false;
        std::uint32_t at = controller;
        for (std::size_t links = 0; at != scene::none && links < max_chain_length; ++links) {
            if (const auto found = keys_.find({clip, at}); found != keys_.end()) {
                chain.push_back(found->second);
                keys += found->second->times.size();
            } else {
                is_hidden = is_hidden || is_statically_hidden(at);
            }
            const std::uint32_t parent = scene_.nodes[at].parent;
            at = parent == scene::none ? parent : nearest_controller(parent);
        }
        if (!is_hidden) return chain.empty() ? std::nullopt : std::optional(combined_channel(chain));
        scene::Channel hidden = steps_of_scale();
        add_key(hidden, 0.0f, false);
        return hidden;
    }

    bool is_statically_hidden(std::uint32_t node)
    {
        const auto [known, is_new] = is_statically_hidden_.try_emplace(node);
        if (is_new)
            known->second = nodes_[node]["extensions"]["KHR_node_visibility"]["visible"].boolean() == false;
        return known->second;
    }

    // For one clip and controller node.
    struct ControllerChannel {
        std::uint64_t keys = 0;
        std::optional<std::size_t> channel; // index in the clip; nullopt when the visibility is constant
    };

    Document& document_;
    scene::Scene& scene_;
    io::JsonValue nodes_;
    std::set<std::uint32_t> animated_nodes_;
    std::vector<std::uint32_t> controllers_; // by node: the nearest controller ancestor
    std::map<std::pair<std::uint32_t, std::uint32_t>, const VisibilityKeys*> keys_; // by clip and node
    std::map<std::pair<std::uint32_t, std::uint32_t>, ControllerChannel>
        controller_channels_;                              // by clip and node
    std::map<std::uint32_t, bool> is_statically_hidden_;   // by controller node
    std::map<std::uint32_t, std::uint32_t> drawing_nodes_; // to the nodes that draw
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
