#include "loaders/scene/motion/bind_animations.hpp"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loaders/base/ascii.hpp"
#include "loaders/scene/motion/file_nodes.hpp"

namespace vitrine::scene {
namespace {

std::string_view without_namespace(std::string_view name)
{
    const auto at = name.find_last_of(":|");
    return at == std::string_view::npos || at + 1 == name.size() ? name : name.substr(at + 1);
}

// Finds the character's nodes by name. Refers to its names, which must not change.
class NodeNames {
public:
    explicit NodeNames(const Scene& scene)
    {
        for (const auto& skin : scene.skins)
            for (const auto joint : skin.joints)
                add(scene.nodes[joint].name, joint);
        for (std::uint32_t i = 0; i < scene.nodes.size(); ++i)
            add(scene.nodes[i].name, i);
    }

    std::uint32_t find(std::string_view name) const
    {
        if (name.empty()) return none;
        if (const auto found = whole_.find(name); found != whole_.end()) return found->second;
        if (const auto found = bare_.find(without_namespace(name)); found != bare_.end())
            return found->second;
        const auto found = lower_.find(ascii::lower(without_namespace(name)));
        return found != lower_.end() ? found->second : none;
    }

private:
    void add(std::string_view name, std::uint32_t node)
    {
        whole_.emplace(name, node);
        bare_.emplace(without_namespace(name), node);
        lower_.emplace(ascii::lower(without_namespace(name)), node);
    }

    std::map<std::string_view, std::uint32_t> whole_;
    std::map<std::string_view, std::uint32_t> bare_;
    std::map<std::string, std::uint32_t> lower_; // bare names in lower case
};

std::size_t values_per_key(const Channel& channel)
{
    const std::size_t groups = channel.times.size() * (channel.interpolation == Interpolation::cubic ? 3 : 1);
    return groups == 0 ? 0 : channel.values.size() / groups;
}

// If a node has a split scale (is_split_scale()), its translation and rotation belong to the helper above it.
bool is_of_helper(Path path)
{
    return path == Path::translation || path == Path::rotation;
}

// Returns the node whose name identifies the target of an animation channel.
std::uint32_t named_node(const Scene& animation, const Channel& channel)
{
    const auto owner = file_node(animation, channel.node);
    const bool is_part = is_split_scale(animation, owner) && animation.nodes[owner].parent == channel.node;
    return is_part && is_of_helper(channel.path) ? owner : channel.node;
}

// Returns the node of the character that holds `path` of `node`: the helper or `node` itself.
std::uint32_t part_of(const Scene& character, std::uint32_t node, Path path)
{
    if (node == none || !is_of_helper(path) || !is_split_scale(character, node)) return node;
    return character.nodes[node].parent;
}

// Weights fit a mesh with the same number of targets; vertex frames fit only the mesh they were made for.
bool fits(const Channel& channel, const Scene& scene, std::uint32_t node)
{
    const auto mesh = scene.nodes[node].mesh;
    switch (channel.path) {
    case Path::translation:
    case Path::rotation:
    case Path::scale: return !scene.nodes[node].matrix;
    case Path::weights:
        return mesh != none && scene.meshes[mesh].morph_targets.size() == values_per_key(channel);
    case Path::vertex_frame: return false;
    }
    return false;
}

// Finds the nodes of a character that the channels of another scene animate.
class ChannelBinder {
public:
    ChannelBinder(const Scene& character, const Scene& animation)
        : character_(character), animation_(animation)
    {
        const NodeNames names(character);
        for (const auto& node : animation.nodes)
            targets_.push_back(names.find(node.name));
    }

    // Returns none if the character has no such node or the values do not fit it.
    std::uint32_t find(const Channel& channel) const
    {
        const auto node = part_of(character_, targets_[named_node(animation_, channel)], channel.path);
        return node == none || !fits(channel, character_, node) ? none : node;
    }

private:
    const Scene& character_;
    const Scene& animation_;
    std::vector<std::uint32_t> targets_; // by node of the animation
};

} // namespace

std::optional<Clip> bind_clip(const Scene& character, const Scene& animation, std::uint32_t clip)
{
    const ChannelBinder binder(character, animation);
    const Clip& source = animation.clips[clip];
    Clip bound{.name = source.name,
               .start_time = source.start_time,
               .duration = source.duration,
               .frame_rate = source.frame_rate,
               .frames = source.frames,
               .channels = {}};
    for (const Channel& channel : source.channels) {
        const auto node = binder.find(channel);
        if (node == none) continue;
        bound.channels.push_back(channel);
        bound.channels.back().node = node;
    }
    if (bound.channels.empty()) return std::nullopt;
    return bound;
}

AnimationBinding bind_animations(Scene& character, Scene&& animation, const std::string& name)
{
    AnimationBinding result;
    const ChannelBinder binder(character, animation);
    for (auto& clip : animation.clips) {
        std::vector<Channel> bound;
        for (auto& channel : clip.channels) {
            const auto node = binder.find(channel);
            if (node == none) {
                if (result.dropped++ == 0)
                    result.first_missing_node = animation.nodes[named_node(animation, channel)].name;
                continue;
            }
            channel.node = node;
            bound.push_back(std::move(channel));
        }
        if (bound.empty()) continue;
        result.bound += bound.size();
        clip.channels = std::move(bound);
        clip.name = animation.clips.size() == 1 ? name : name + ": " + clip.name;
        character.clips.push_back(std::move(clip));
        ++result.clips;
    }
    return result;
}

} // namespace vitrine::scene
