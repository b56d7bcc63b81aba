#include "loaders/fbx/clips/clips.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "loaders/fbx/animation/transform_limits.hpp"
#include "loaders/fbx/clips/node_tracks.hpp"
#include "loaders/fbx/clips/weight_track.hpp"
#include "loaders/fbx/nodes/node_tree.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/text/text_reader.hpp"

namespace vitrine::fbx {
namespace {

// The sample budget: a minimum for every file, and an addition per key.
constexpr std::uint64_t min_samples = 2'000'000;
constexpr std::uint64_t samples_per_key = 64;
// The budget of animated nodes: a minimum for every file, and the cost of each in Limits::key_values.
constexpr std::uint64_t min_visits = 100'000;
constexpr std::uint64_t numbers_per_visit = 64;

bool has_curve(const CurveNode& node)
{
    return std::ranges::any_of(node.curves, [](Element curve) { return curve.exists(); });
}

bool has_curves(const AnimationStack& stack)
{
    return std::ranges::any_of(stack.nodes, has_curve);
}

bool has_keys(const AnimationStack& stack)
{
    const auto keys = [](Element curve) {
        return curve["KeyTime"].array_count() > 0 || curve["Key"].array_count() > 0;
    };
    return std::ranges::any_of(stack.nodes,
                               [&](const CurveNode& node) { return std::ranges::any_of(node.curves, keys); });
}

// Adds a key to clips that animate nothing visible (only materials, lights or cameras), because a clip needs
// a channel.
void hold_static_pose(const scene::Scene& scene, scene::Clip& clip)
{
    if (scene.nodes.empty()) return;
    const glm::vec3 t = scene.nodes[0].local.translation;
    clip.channels.push_back({.node = 0, .times = {0.0f}, .values = {t.x, t.y, t.z}});
}

// Alternates between the visible scale and 0 in steps.
scene::Channel visibility_channel(const Toggles& toggles, const BakeTime& clip, const glm::vec3& scale)
{
    scene::Channel channel{
        .path = scene::Path::scale, .interpolation = scene::Interpolation::step, .times = {}, .values = {}};
    bool shown = toggles.shown_at_first;
    const auto add = [&](double seconds) {
        const auto time = static_cast<float>(seconds);
        const glm::vec3 value = shown ? scale : glm::vec3(0.0f);
        if (!channel.times.empty() && time <= channel.times.back())
            channel.values.resize(channel.values.size() - 3); // closer than single precision resolves
        else
            channel.times.push_back(time);
        channel.values.insert(channel.values.end(), {value.x, value.y, value.z});
    };
    const auto seconds = [&](double ticks) { return (ticks - clip.start) / clip.ticks_per_second; };
    add(toggles.times.empty() ? 0.0 : std::min(seconds(toggles.times.front()) - 1.0, 0.0));
    for (const double time : toggles.times) {
        shown = !shown;
        add(seconds(time));
    }
    return channel;
}

class ClipBuilder {
public:
    ClipBuilder(const LoadContext& context, const AnimationStacks& animation, const NodeTree& tree,
                const MeshMap& meshes, std::optional<double> pose_time)
        : context_(context), animation_(animation), tree_(tree), meshes_(meshes), pose_time_(pose_time),
          moved_(context, tree, meshes)
    {
        budget_.samples_left = min_samples;
    }

    LoadResult<std::vector<SkinVisibility>> run();

private:
    LoadResult<void> add_clip(const AnimationStack& stack);
    LoadResult<void> add_channels(const AnimationStack& stack, scene::Clip& clip);
    LoadResult<void> find_span(const AnimationStack& stack, scene::Clip& clip);
    LoadResult<void> add_node_channels(MotionSource& motions, std::uint32_t node, scene::Clip& clip);
    LoadResult<void> add_weights(const AnimationStack& stack, std::uint32_t node, scene::Clip& clip);
    LoadResult<void> add(const Track& track, scene::Path path, std::uint32_t node, scene::Clip& clip);
    LoadResult<void> add_visibility(VisibilitySource& visibility, std::uint32_t node, scene::Clip& clip);
    LoadResult<void> count(const scene::Channel& channel, const scene::Clip& clip);
    void warn(const AnimationStack& stack, const scene::Clip& clip);
    bool moves(const AnimationStack& stack, const CurveNode& node) const;

    const LoadContext& context_;
    const AnimationStacks& animation_;
    const NodeTree& tree_;
    const MeshMap& meshes_;
    std::optional<double> pose_time_; // seconds
    AnimatedNodes moved_;
    std::uint64_t visits_ = 0;
    BakeBudget budget_;
    BakeTime time_;
    std::uint64_t counted_keys_ = 0;
    std::uint64_t key_values_ = 0;
    std::vector<SkinVisibility> skin_visibilities_;
};

LoadResult<std::vector<SkinVisibility>> ClipBuilder::run()
{
    for (const AnimationStack& stack : animation_.stacks()) {
        if (auto added = add_clip(stack); !added) return std::unexpected(added.error());
    }
    return std::move(skin_visibilities_);
}

LoadResult<void> ClipBuilder::find_span(const AnimationStack& stack, scene::Clip& clip)
{
    const double second = context_.document.ticks_per_second();
    double start = 0.0, stop = 0.0;
    if (stack.start) {
        start = static_cast<double>(*stack.start);
        stop = static_cast<double>(stack.stop);
    } else {
        const auto keys = animation_.key_span(stack);
        if (!keys) return std::unexpected(keys.error());
        if (*keys) std::tie(start, stop) = **keys;
    }
    time_ = {.start = start, .ticks_per_second = second};
    if (pose_time_) time_.pose_time = *pose_time_ * second;
    clip.start_time = start / second;
    clip.duration = (stop - start) / second;
    clip.frame_rate = frame_rate(context_.document);
    clip.frames = frame_count(clip.duration, clip.frame_rate);
    return {};
}

LoadResult<void> ClipBuilder::add(const Track& track, scene::Path path, std::uint32_t node, scene::Clip& clip)
{
    budget_.samples_left += samples_per_key * (animation_.keys_read() - counted_keys_);
    counted_keys_ = animation_.keys_read();
    clip.channels.push_back(bake(track, path, time_, budget_));
    clip.channels.back().node = node;
    return count(clip.channels.back(), clip);
}

LoadResult<void> ClipBuilder::count(const scene::Channel& channel, const scene::Clip& clip)
{
    key_values_ += channel.values.size();
    if (key_values_ > context_.limits.key_values || budget_.is_over_limit())
        return io::limit_exceeded_error(clip.name, "the numbers of all keys", "key_values",
                                        context_.limits.key_values);
    return {};
}

LoadResult<void> ClipBuilder::add_node_channels(MotionSource& motions, std::uint32_t node, scene::Clip& clip)
{
    auto tracks = bake_tracks(motions, tree_, node);
    if (!tracks) return std::unexpected(tracks.error());
    for (const NodeTrack& part : *tracks) {
        if (auto added = add(*part.track, part.path, node, clip); !added) return added;
    }
    return {};
}

LoadResult<void> ClipBuilder::add_weights(const AnimationStack& stack, std::uint32_t node, scene::Clip& clip)
{
    const std::uint32_t mesh = context_.scene.nodes[node].mesh;
    if (mesh == scene::none || mesh >= meshes_.channels.size() || meshes_.channels[mesh].empty()) return {};
    auto track = weight_track(context_.document, animation_, stack, meshes_.channels[mesh],
                              context_.scene.meshes[mesh].morph_targets.size());
    if (!track) return std::unexpected(track.error());
    return *track ? add(**track, scene::Path::weights, node, clip) : LoadResult<void>();
}

// Sets the scale to 0 while the model is hidden. Models that toggle too often remain visible throughout.
LoadResult<void> ClipBuilder::add_visibility(VisibilitySource& visibility, std::uint32_t node,
                                             scene::Clip& clip)
{
    const auto [model, part] = tree_.sources[node];
    const scene::Node& holder = context_.scene.nodes[node];
    if (part != NodePart::geometry || holder.mesh == scene::none || tree_.visibility[model].is_still())
        return {};
    const auto toggles = visibility.find_or_build(model);
    if (!toggles) return std::unexpected(toggles.error());
    if (*toggles != nullptr && (*toggles)->times.empty() && (*toggles)->shown_at_first) return {};
    if (*toggles == nullptr) {
        context_.warnings.add(
            "fbx_visibility_animated",
            fmt::format("{} has animated visibility; it is shown throughout", io::shown(holder.name)),
            clip.name.empty() ? "unnamed clip" : clip.name);
        return {};
    }
    if (holder.skin != scene::none) // points without weights still follow the node
        skin_visibilities_.push_back({node, static_cast<std::uint32_t>(context_.scene.clips.size()),
                                      visibility_channel(**toggles, time_, glm::vec3(1.0f))});
    clip.channels.push_back(visibility_channel(**toggles, time_, holder.local.scale));
    clip.channels.back().node = node;
    return count(clip.channels.back(), clip);
}

bool ClipBuilder::moves(const AnimationStack& stack, const CurveNode& node) const
{
    const auto property =
        animation_.property(stack, node.object, node.property, PropertyKind::plain, glm::dvec3(0.0));
    return property && !property->is_constant();
}

void ClipBuilder::warn(const AnimationStack& stack, const scene::Clip& clip)
{
    const std::string where = clip.name.empty() ? "unnamed clip" : clip.name;
    if (const double sampled_seconds = std::exchange(budget_.sampled_seconds, 0.0); sampled_seconds > 0.0)
        context_.warnings.add(
            "fbx_extrapolation_sampled",
            fmt::format("curves have an extrapolation that channels cannot represent; it is "
                        "sampled for {:.3g} s from the clip's start",
                        sampled_seconds),
            where);
    if (std::exchange(budget_.is_coarse, false))
        context_.warnings.add("fbx_animation_coarse", "the motion is too complex; it is approximated", where);
    for (const CurveNode& node : stack.nodes) {
        if (!has_curve(node)) continue;
        const ObjectType type = context_.document.object(node.object).type;
        if (type == ObjectType::model && passes_limits(context_, animation_, stack, node) &&
            context_.warnings.accepts("fbx_limits"))
            context_.warnings.store(
                "fbx_limits",
                fmt::format("curves of {} exceed its transform limits; the limits are ignored",
                            io::shown(context_.document.object(node.object).name)),
                clip.name);
        if (type == ObjectType::material && moves(stack, node))
            context_.warnings.add("fbx_material_animated",
                                  "material animation is not supported; colors are constant", where);
    }
}

LoadResult<void> ClipBuilder::add_channels(const AnimationStack& stack, scene::Clip& clip)
{
    // Visiting a node costs as much as a few keys, animated or not.
    const std::uint64_t max_visits = min_visits + context_.limits.key_values / numbers_per_visit;
    MotionSource motions(context_.document, animation_, stack, tree_);
    VisibilitySource visibility(context_.document, animation_, stack, tree_.visibility);
    for (const std::uint32_t node : moved_.find(stack)) {
        if (++visits_ > max_visits)
            return io::limit_exceeded_error(
                clip.name,
                fmt::format("{} animated nodes in all clips, with {} numbers each", visits_,
                            numbers_per_visit),
                "key_values", context_.limits.key_values);
        if (node < tree_.sources.size() && tree_.sources[node].model != no_object) {
            if (auto added = add_node_channels(motions, node, clip); !added) return added;
            if (auto added = add_visibility(visibility, node, clip); !added) return added;
        }
        if (auto added = add_weights(stack, node, clip); !added) return added;
    }
    return {};
}

LoadResult<void> ClipBuilder::add_clip(const AnimationStack& stack)
{
    if (!has_curves(stack)) return {};
    scene::Clip clip{.name = stack.name, .channels = {}};
    if (auto found = find_span(stack, clip); !found) return found;
    if (auto added = add_channels(stack, clip); !added) return added;
    warn(stack, clip);
    if (clip.channels.empty() && has_keys(stack)) hold_static_pose(context_.scene, clip);
    if (clip.channels.empty()) {
        const auto index = context_.scene.clips.size();
        std::erase_if(skin_visibilities_,
                      [&](const SkinVisibility& skin_visibility) { return skin_visibility.clip == index; });
        return {};
    }
    context_.scene.clips.push_back(std::move(clip));
    return {};
}

} // namespace

LoadResult<std::vector<SkinVisibility>> add_clips(const LoadContext& context,
                                                  const AnimationStacks& animation, const NodeTree& tree,
                                                  const MeshMap& meshes, std::optional<double> pose_time)
{
    return ClipBuilder(context, animation, tree, meshes, pose_time).run();
}

} // namespace vitrine::fbx
