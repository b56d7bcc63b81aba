#include "loaders/gltf/animation/animations.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "loaders/gltf/animation/channels.hpp"
#include "loaders/gltf/document/accessor.hpp"
#include "loaders/gltf/document/animation_pointers.hpp"
#include "loaders/gltf/document/fields.hpp"
#include "loaders/gltf/nodes/visibility.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/scene/motion/frame_rate.hpp"

namespace vitrine::gltf {
namespace {

class ClipLoader {
public:
    // `movable`: a node without a matrix; none when all have one.
    ClipLoader(Document& document, const scene::Scene& scene, MeshUsers& users, std::uint32_t movable)
        : document_(document), scene_(scene), targets_(document, scene, users), movable_(movable)
    {
    }

    LoadResult<scene::Clip> run(io::JsonValue animation)
    {
        scene::Clip clip;
        for (const io::JsonValue channel : animation["channels"]) {
            if (names_no_node(channel["target"])) {
                if (auto read = read_unshown(animation, channel); !read) return std::unexpected(read.error());
                continue;
            }
            if (auto added = add_channels(animation, channel, clip); !added)
                return std::unexpected(added.error());
        }
        if (auto joined = join_parts(animation, clip); !joined) return std::unexpected(joined.error());
        if (clip.channels.empty() && unshown_end_) hold_static_pose(clip);
        for (const scene::Channel& channel : clip.channels)
            clip.duration = std::max(clip.duration, double{channel.times.back()});
        clip.duration = std::max(clip.duration, visibility_end_);
        clip.frame_rate = scene::estimate_frame_rate(clip.channels);
        clip.frames = scene::count_frames(clip);
        return clip;
    }

    // Returns the visibility keys found by run(); their clip index is not set.
    std::vector<VisibilityKeys> take_visibility() { return std::move(visibility_); }

private:
    void warn(std::string message, const io::JsonValue& where)
    {
        document_.warnings().add("invalid_channel", std::move(message), where.pointer());
    }

    // Returns whether the channel animates a material, light, camera or visibility, which requires an
    // extension.
    static bool names_no_node(io::JsonValue target)
    {
        if (target["path"].string() == "pointer") return !parse_pointer(pointer_of(target));
        return !target["node"].exists();
    }

    // Reads only the end time of unsupported channels, and all keys of a node's visibility.
    LoadResult<void> read_unshown(io::JsonValue animation, io::JsonValue channel)
    {
        const std::string_view pointer = pointer_of(channel["target"]);
        if (const auto node = parse_visibility_pointer(pointer))
            return read_visibility(animation, channel, *node);
        document_.warnings().add(
            "unsupported_animation",
            pointer.empty() ? "an animation has no node; it is ignored"
                            : fmt::format("the animation of \"{}\" is not supported; it is ignored", pointer),
            channel.pointer());
        const io::JsonValue samplers = animation["samplers"];
        const io::JsonValue sampler =
            samplers[LenientFields(channel, document_.warnings()).index("sampler", samplers.size())];
        const LoadResult<Accessor> input = find_accessor(document_, sampler["input"]);
        if (!sampler.exists() || !input) {
            warn("the channel is ignored: no such sampler or input", channel);
            return {};
        }
        if (auto taken = document_.budget().take_keys(input->count, sampler.pointer()); !taken) return taken;
        for (const float time : read_floats(*input))
            if (std::isfinite(time)) unshown_end_ = std::max(unshown_end_.value_or(0.0), double{time});
        return {};
    }

    LoadResult<void> read_visibility(io::JsonValue animation, io::JsonValue channel, std::uint32_t node)
    {
        if (node >= document_.list("nodes").size()) {
            warn("the node does not exist; the channel is ignored", channel);
            return {};
        }
        auto keys =
            read_channel(document_, targets_, animation, channel, {.node = node, .is_visibility = true}, 1);
        if (!keys) return std::unexpected(keys.error());
        if (keys->times.empty()) return {};
        if (keys->interpolation != scene::Interpolation::step) {
            warn("visibility requires STEP interpolation; the channel is ignored", channel);
            return {};
        }
        unshown_end_ = std::max(unshown_end_.value_or(0.0), double{keys->times.back()});
        visibility_end_ = std::max(visibility_end_, double{keys->times.back()});
        visibility_.push_back({0, node, std::move(keys->times), std::move(keys->values)});
        return {};
    }

    // Adds a key for the clip's duration to a clip that animates nothing visible, because a clip needs a
    // channel.
    void hold_static_pose(scene::Clip& clip) const
    {
        if (movable_ == scene::none) return;
        const glm::vec3 t = scene_.nodes[movable_].local.translation;
        clip.channels.push_back({.node = movable_, .times = {0.0f}, .values = {t.x, t.y, t.z}});
        clip.duration = *unshown_end_;
    }

    LoadResult<void> add_channels(io::JsonValue animation, io::JsonValue channel, scene::Clip& clip)
    {
        const std::vector<ChannelTarget> targets = targets_.find(channel["target"]);
        // One pointer may create a channel in every clip for every node, so each counts as many keys.
        constexpr std::uint64_t channel_cost = 256;
        if (targets.size() > 1)
            if (auto taken = document_.budget().take_keys(channel_cost * targets.size(), channel.pointer());
                !taken)
                return taken;
        for (const ChannelTarget& target : targets)
            if (auto added = add_channel(animation, channel, target, clip); !added) return added;
        return {};
    }

    LoadResult<void> add_channel(io::JsonValue animation, io::JsonValue value, const ChannelTarget& target,
                                 scene::Clip& clip)
    {
        if (!targeted_.insert(target).second) {
            warn("a second channel has the same target; it is ignored", value);
            return {};
        }
        auto loaded =
            read_channel(document_, targets_, animation, value, target, targets_.components(target));
        if (!loaded) return std::unexpected(loaded.error());
        if (loaded->times.empty()) return {};
        if (target.weight == scene::none)
            clip.channels.push_back(std::move(*loaded));
        else
            parts_[target.node].push_back({target.weight, std::move(*loaded)});
        return {};
    }

    LoadResult<void> join_parts(io::JsonValue animation, scene::Clip& clip)
    {
        for (const auto& [node, parts] : parts_) {
            const std::span<const float> rest = targets_.rest_of(node);
            std::uint64_t values = 0; // upper limit
            for (const WeightPart& part : parts)
                values += std::uint64_t{part.channel.values.size()} * rest.size();
            if (auto taken = document_.budget().take_keys(values, animation.pointer()); !taken) return taken;
            if (auto joined = join_weights(node, parts, rest); joined)
                clip.channels.push_back(std::move(*joined));
            else
                document_.warnings().add(
                    "unsupported_animation",
                    "weights are animated individually in incompatible ways; they are ignored",
                    animation.pointer());
        }
        return {};
    }

    Document& document_;
    const scene::Scene& scene_;
    TargetFinder targets_;
    std::uint32_t movable_;
    std::set<ChannelTarget> targeted_;
    std::map<std::uint32_t, std::vector<WeightPart>> parts_; // by node
    std::optional<double> unshown_end_; // seconds; end of the keys of unsupported channels
    std::vector<VisibilityKeys> visibility_;
    double visibility_end_ = 0.0; // seconds
};

// Decomposes the matrix of an animated node into T, R, S as far as possible; the specification forbids
// animating matrices.
void free_animated_matrices(Document& document, scene::Scene& scene)
{
    const io::JsonValue nodes = document.list("nodes");
    std::set<std::uint32_t> warned;
    for (const scene::Clip& clip : scene.clips)
        for (const scene::Channel& channel : clip.channels) {
            scene::Node& node = scene.nodes[channel.node];
            if (channel.path == scene::Path::weights) continue;
            const bool has_shear = node.matrix.has_value();
            if (!has_shear && !nodes[channel.node]["matrix"].exists()) continue;
            if (!warned.insert(channel.node).second) continue;
            node.matrix.reset();
            document.warnings().add("animated_matrix",
                                    has_shear
                                        ? "an animated node has a matrix with shear; the shear is ignored"
                                        : "an animated node has a matrix; it is decomposed",
                                    fmt::format("/nodes/{}", channel.node));
        }
}

} // namespace

LoadResult<void> load_animations(Document& document, scene::Scene& scene)
{
    const io::JsonValue animations = document.list("animations");
    if (animations.size() > document.budget().limits().clips)
        return io::limit_exceeded_error("/animations", "clips", document.budget().limits().clips);
    MeshUsers users(scene);
    const auto first =
        std::ranges::find_if(scene.nodes, [](const scene::Node& node) { return !node.matrix; });
    const auto movable =
        first == scene.nodes.end() ? scene::none : static_cast<std::uint32_t>(first - scene.nodes.begin());
    std::vector<VisibilityKeys> visibility;
    for (std::uint32_t n = 0; n < animations.size(); ++n) {
        ClipLoader loader(document, scene, users, movable);
        LoadResult<scene::Clip> clip = loader.run(animations[n]);
        if (!clip) return std::unexpected(clip.error());
        clip->name = LenientFields(animations[n], document.warnings()).string("name");
        if (clip->name.empty()) clip->name = fmt::format("animation_{}", n);
        if (!clip->channels.empty()) {
            for (VisibilityKeys& keys : loader.take_visibility()) {
                keys.clip = static_cast<std::uint32_t>(scene.clips.size());
                visibility.push_back(std::move(keys));
            }
            scene.clips.push_back(std::move(*clip));
            continue;
        }
        document.warnings().add("empty_clip",
                                fmt::format("the animation \"{}\" animates nothing", clip->name),
                                animations[n].pointer());
    }
    free_animated_matrices(document, scene);
    return animate_visibility(document, visibility, scene);
}

} // namespace vitrine::gltf
