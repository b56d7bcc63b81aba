#include "loaders/export/gltf/gltf_animation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "loaders/base/sort_unique.hpp"
#include "loaders/scene/motion/sampling.hpp"

namespace vitrine::exporting {

namespace {

using scene::Channel;
using scene::Interpolation;
using scene::Path;

// Limit for the weights of a node in one clip, and for all sampled curves of a clip: a small file may request
// many targets at many times.
constexpr std::size_t max_weights = std::size_t{1} << 26;
constexpr std::size_t max_samples = std::size_t{1} << 22;

// glTF requires unit quaternions within the precision of 8-bit values. Values within the tolerance of
// evaluators are kept.
void make_unit(std::span<float> values, bool cubic)
{
    const std::size_t stride = cubic ? 12 : 4;
    for (std::size_t i = cubic ? 4 : 0; i + 4 <= values.size(); i += stride) {
        const glm::dvec4 q(values[i], values[i + 1], values[i + 2], values[i + 3]);
        const double length = glm::length(q);
        if (std::abs(length - 1.0) <= 1e-3) continue;
        const glm::vec4 unit(length > 0.0 ? q / length : glm::dvec4(0, 0, 0, 1));
        for (int c = 0; c < 4; ++c)
            values[i + static_cast<std::size_t>(c)] = unit[c];
    }
}

// The effective channels of the clip by target: of two the later is used.
using ChannelsByTarget = std::map<std::pair<std::uint32_t, Path>, const Channel*>;

class Tracks {
public:
    Tracks(const scene::Scene& scene, const scene::Clip& clip, std::span<const FrameTargets> frames,
           SampleBudget& budget)
        : scene_(scene), duration_(clip.duration),
          share_(max_samples / std::max<std::size_t>(clip.channels.size(), 1)), frames_(frames),
          budget_(budget)
    {
    }

    GltfTrack property(const Channel& channel) const
    {
        const std::size_t components = channel.path == Path::rotation ? 4 : 3;
        Channel c = within(channel, components);
        if (c.path == Path::rotation) make_unit(c.values, c.interpolation == Interpolation::cubic);
        return {c.node, c.path, c.interpolation, std::move(c.times), std::move(c.values), {}};
    }

    // frame and morph may be null. Weights of the frames' targets precede those of the mesh's own.
    GltfTrack weights(std::uint32_t node, const Channel* frame, const Channel* morph) const
    {
        const auto mesh = scene_.nodes[node].mesh;
        const std::size_t own = scene_.meshes[mesh].morph_targets.size();
        if (!frame && morph && frames_[mesh].frame.empty()) {
            Channel c = within(*morph, own);
            return {node, Path::weights, c.interpolation, std::move(c.times), std::move(c.values), {}};
        }
        GltfTrack out{.node = node,
                      .path = Path::weights,
                      .interpolation = Interpolation::step,
                      .times = {},
                      .values = {},
                      .sparse = {}};
        Channel morphs;
        if (frame) add(frame_keys(*frame), out);
        if (morph) add(morphs = straight(*morph, own), out);
        sort_unique(out.times);
        drop_times(out.times, frames_[mesh].frame.size() + own);
        fill(out, mesh, frame, morph ? &morphs : nullptr);
        return out;
    }

private:
    // Maximum number of keys of a sampled channel.
    std::size_t keys(std::size_t components) const
    {
        return std::clamp<std::size_t>(share_ / std::max<std::size_t>(components, 1), 2,
                                       std::size_t{1} << 16);
    }

    Channel within(const Channel& channel, std::size_t components) const
    {
        return needs_no_resampling(channel, duration_) ? channel : sampled(channel, components, resampled);
    }

    // For step or linear channels.
    Channel straight(const Channel& channel, std::size_t components) const
    {
        Channel c = within(channel, components);
        return c.interpolation == Interpolation::cubic ? sampled(channel, components, linearized) : c;
    }

    // Keys at all times within the clip between which two frames are blended; their values do not count.
    Channel frame_keys(const Channel& channel) const
    {
        Channel c = channel;
        if (c.interpolation == Interpolation::cubic) {
            c.interpolation = Interpolation::linear;
            c.values.assign(c.times.size(), 0.0f);
        }
        for (scene::Extrapolation* outside : {&c.before, &c.after})
            if (outside->mode == scene::ExtrapolationMode::repeat_offset)
                outside->mode = scene::ExtrapolationMode::repeat;
        return within(c, 1);
    }

    template <class Sample>
    Channel sampled(const Channel& channel, std::size_t components, Sample sample) const
    {
        if (budget_.is_spent()) return channel;
        Channel out = sample(channel, duration_, components, keys(components));
        budget_.take(out.times.size() + out.values.size());
        return out;
    }

    static void add(const Channel& channel, GltfTrack& out)
    {
        out.times.insert(out.times.end(), channel.times.begin(), channel.times.end());
        if (channel.interpolation == Interpolation::linear) out.interpolation = Interpolation::linear;
    }

    // Reduces the times to the number that max_weights allows, evenly and including both ends.
    static void drop_times(scene::Array<float>& times, std::size_t weights)
    {
        const std::size_t max_times = std::max<std::size_t>(max_weights / weights, 2);
        if (times.size() <= max_times) return;
        for (std::size_t i = 0; i < max_times; ++i)
            times[i] = times[i * (times.size() - 1) / (max_times - 1)];
        times.resize(max_times);
    }

    // A frame blends two of possibly thousands of targets.
    void fill(GltfTrack& out, std::uint32_t mesh, const Channel* frame, const Channel* morph) const
    {
        const std::size_t own = scene_.meshes[mesh].morph_targets.size();
        const std::size_t of_frames = frames_[mesh].frame.size();
        const auto& node = scene_.nodes[out.node];
        std::vector<float> weights =
            node.morph_weights.empty() ? scene_.meshes[mesh].morph_weights : node.morph_weights;
        auto& values = out.sparse.emplace();
        for (const float time : out.times) {
            budget_.take(1 + own);
            if (budget_.is_spent()) return;
            scene::FrameBlend blend;
            if (frame) blend = scene::sample_frames(*frame, double{time}, scene_.meshes[mesh].frames.count);
            if (of_frames > 0)
                for (const auto& [target, weight] : frame_weights(frames_[mesh], blend))
                    values.add(target, weight);
            values.count += of_frames;
            if (morph) scene::sample_channel(*morph, double{time}, weights);
            for (std::size_t i = 0; i < own; ++i)
                values.add(i, weights[i]);
            values.count += own;
        }
    }

    const scene::Scene& scene_;
    double duration_;
    std::size_t share_; // limit per channel, from max_samples
    std::span<const FrameTargets> frames_;
    SampleBudget& budget_;
};

// Repeats the last key.
void repeat_last(SparseValues& values, std::size_t keys)
{
    const std::uint64_t row = values.count / keys, last = values.count - row;
    const auto begin = std::ranges::lower_bound(values.places, last) - values.places.begin();
    for (std::size_t i = static_cast<std::size_t>(begin), end = values.places.size(); i < end; ++i)
        values.add(values.places[i] - last, values.values[i]);
    values.count += row;
}

void repeat_last(scene::Array<float>& values, std::size_t keys, bool cubic)
{
    const std::size_t group = values.size() / keys;
    const std::size_t size = cubic ? group / 3 : group;
    const std::vector<float> last(values.end() - static_cast<std::ptrdiff_t>(cubic ? 2 * size : size),
                                  values.end() - static_cast<std::ptrdiff_t>(cubic ? size : 0));
    if (cubic) {
        std::fill(values.end() - static_cast<std::ptrdiff_t>(size), values.end(), 0.0f);
        values.insert(values.end(), size, 0.0f);
    }
    values.insert(values.end(), last.begin(), last.end());
    if (cubic) values.insert(values.end(), size, 0.0f);
}

// A glTF animation ends with its last key: extends one track to the clip's end.
void hold_to_end(std::vector<GltfTrack>& tracks, double duration)
{
    const auto end = static_cast<float>(duration);
    const auto reaches_it = [end](const GltfTrack& track) { return track.times.back() >= end; };
    if (tracks.empty() || std::ranges::any_of(tracks, reaches_it)) return;
    auto& track = tracks.front();
    if (track.sparse)
        repeat_last(*track.sparse, track.times.size());
    else
        repeat_last(track.values, track.times.size(), track.interpolation == Interpolation::cubic);
    track.times.push_back(end);
}

// For a clip without motion (all of its vertex frames are equal): adds a constant track.
void stand_still(const scene::Scene& scene, double duration, std::vector<GltfTrack>& tracks)
{
    const auto free = std::ranges::find_if(scene.nodes, [](const auto& node) { return !node.matrix; });
    if (free == scene.nodes.end()) return;
    const auto& at = free->local.translation;
    tracks.push_back({.node = static_cast<std::uint32_t>(free - scene.nodes.begin()),
                      .path = Path::translation,
                      .interpolation = Interpolation::step,
                      .times = {0.0f},
                      .values = {at.x, at.y, at.z},
                      .sparse = {}});
    hold_to_end(tracks, duration);
}

const Channel* find(const ChannelsByTarget& channels, std::uint32_t node, Path path)
{
    const auto found = channels.find({node, path});
    return found == channels.end() ? nullptr : found->second;
}

} // namespace

std::vector<GltfTrack> gltf_tracks(const scene::Scene& scene, const scene::Clip& clip,
                                   std::span<const FrameTargets> frames, const std::vector<bool>& drawn,
                                   SampleBudget& budget)
{
    ChannelsByTarget channels;
    for (const auto& channel : clip.channels)
        channels[{channel.node, channel.path}] = &channel;
    const Tracks tracks(scene, clip, frames, budget);
    std::vector<GltfTrack> out;
    for (const auto& [what, channel] : channels) {
        if (budget.is_spent()) return {};
        const auto& [node, path] = what;
        if (path < Path::weights) {
            out.push_back(tracks.property(*channel));
            continue;
        }
        const auto* morph = find(channels, node, Path::weights);
        if (!drawn[node] || (path == Path::vertex_frame && morph != nullptr)) continue;
        const bool of_frames = !frames[scene.nodes[node].mesh].frame.empty();
        if (path == Path::vertex_frame && !of_frames) continue; // all frames are equal
        out.push_back(tracks.weights(node, find(channels, node, Path::vertex_frame), morph));
    }
    if (budget.is_spent()) return {};
    hold_to_end(out, clip.duration);
    if (out.empty() && !clip.channels.empty()) stand_still(scene, clip.duration, out);
    return out;
}

} // namespace vitrine::exporting
