#include "loaders/dae/clips/clips.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "loaders/dae/clips/tracks.hpp"

namespace vitrine::dae {
namespace {

using NodeInstances = std::vector<const NodeInstance*>;

NodeInstances list_moving(const NodeTree& tree)
{
    NodeInstances moving;
    for (const NodeInstance& instance : tree.instances())
        if (std::ranges::any_of(instance.shape->segments, &TransformSegment::moves))
            moving.push_back(&instance);
    return moving;
}

std::uint64_t count_keys(const Animations& animations)
{
    std::uint64_t keys = 0;
    for (const SamplerCurve& curve : animations.curves)
        keys += curve.keys();
    return keys;
}

// Counts the intervals between keys of the file that are sampled for all clips.
std::uint64_t count_intervals(const Animations& animations, const NodeInstances& moving,
                              const std::vector<MorphedNode>& morphed)
{
    constexpr std::uint64_t lookups_beyond_budget =
        1u << 26; // more than any budget allows, because repetitions are unlimited
    std::uint64_t intervals = 0;
    for (const ClipRange& range : animations.clips) {
        for (const NodeInstance* instance : moving)
            for (const TransformSegment& segment : instance->shape->segments)
                if (segment.moves)
                    intervals +=
                        SegmentTrack(segment, instance->shape->elements, animations, range).times().size();
        for (const MorphedNode& node : morphed)
            intervals += WeightMotion(node, animations, range).times().size();
        if (intervals > lookups_beyond_budget) break;
    }
    return intervals;
}

// Counts evaluations: a hostile file has many clips of many nodes, and nodes of many curves.
std::uint64_t count_lookups(const Animations& animations, const NodeInstances& moving,
                            const std::vector<MorphedNode>& morphed)
{
    constexpr std::uint64_t default_component_count = 16; // number of animated components
    std::uint64_t lookups = 0;
    for (const NodeInstance* instance : moving) {
        std::uint64_t numbers = default_component_count * (instance->shape->segments.size() - 1);
        for (const TransformElement& element : instance->shape->elements)
            for (const ChannelBinding& channel_binding : element.channel_bindings)
                numbers += channel_binding.count;
        lookups += std::max(numbers, default_component_count);
    }
    for (const MorphedNode& node : morphed) {
        std::uint64_t numbers = 0;
        for (const MorphWeights& weights : node.weights)
            for (const ChannelBinding& channel_binding : animations.channel_bindings_of(weights.array))
                numbers += std::min(channel_binding.count, weights.count);
        if (numbers > default_component_count * default_component_count) lookups += numbers;
    }
    return lookups;
}

// The results are discarded once the sampling budget is exhausted.
LoadResult<std::vector<scene::Clip>> make_clips(const Animations& animations, const NodeInstances& moving,
                                                const std::vector<MorphedNode>& morphed, Sampling& sampling,
                                                io::Budget budget, const scene::Scene& scene)
{
    const std::uint64_t lookups = count_lookups(animations, moving, morphed);
    std::vector<scene::Clip> clips;
    for (const ClipRange& range : animations.clips) {
        if (auto taken = budget.take_keys(lookups, {}); !taken) return std::unexpected(taken.error());
        ClipBuilder builder(animations, range, sampling, budget, scene);
        for (const NodeInstance* instance : moving) {
            if (sampling.exhausted()) return clips;
            if (auto added = builder.add(*instance); !added) return std::unexpected(added.error());
        }
        for (const MorphedNode& node : morphed) {
            if (sampling.exhausted()) return clips;
            if (auto added = builder.add(node); !added) return std::unexpected(added.error());
        }
        if (builder.empty() && !builder.rest()) continue;
        auto clip = builder.take();
        if (!clip) return std::unexpected(clip.error());
        clips.push_back(std::move(*clip));
    }
    return clips;
}

} // namespace

LoadResult<void> add_clips(const Animations& animations, const NodeTree& tree,
                           const std::vector<MorphedNode>& morphed, const io::Budget& budget,
                           io::WarningLog& warnings, scene::Scene& scene)
{
    const NodeInstances moving = list_moving(tree);
    Sampling sampling(count_keys(animations));
    auto clips = make_clips(animations, moving, morphed, sampling, budget, scene);
    if (clips && sampling.exhausted()) {
        // Every clip visits every animated node twice: for counting and for sampling.
        io::Budget lookups = budget;
        if (auto taken = lookups.take_keys(
                4 * count_lookups(animations, moving, morphed) * animations.clips.size(), {});
            !taken)
            return taken;
        clips->clear();
        sampling.make_even(count_intervals(animations, moving, morphed));
        clips = make_clips(animations, moving, morphed, sampling, budget, scene);
    }
    if (!clips) return std::unexpected(clips.error());
    if (sampling.coarse())
        warnings.add("animation_coarse",
                     "the motion is too complex; it is sampled at even steps between its keys",
                     "library_animations");
    if (clips->size() < animations.clips.size())
        warnings.add("empty_clip",
                     fmt::format("{} clips animate nothing visible; they are ignored",
                                 animations.clips.size() - clips->size()),
                     "library_animations");
    if (sampling.ends_with_clip())
        warnings.add("extrapolation_sampled",
                     "the extrapolation of some curves is sampled up to the ends of their clip; beyond it "
                     "the motion is held",
                     "library_animations");
    scene.clips = std::move(*clips);
    return {};
}

} // namespace vitrine::dae
