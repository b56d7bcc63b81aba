#include "loaders/export/gltf_animation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "loaders/scene/bounds.hpp"
#include "loaders/scene/sampling.hpp"

namespace vitrine::exporting {

namespace {

using scene::Channel;
using scene::ExtrapolationMode;
using scene::Interpolation;
using scene::Path;

// Poses a second where curves have to be sampled.
constexpr double fine = 120.0;
// Numbers that the weights of one clip's node may take, and all sampled curves of a clip together: a small
// file may ask for many targets at many times.
constexpr std::size_t most_weights = std::size_t{1} << 26;
constexpr std::size_t most_samples = std::size_t{1} << 22;

// The file's own keys say all of it: none outside the clip, the end values hold beyond them, and a spline has
// two.
bool stands_as_it_is(const Channel& channel, double duration)
{
    const double first = channel.times.front(), last = channel.times.back();
    const bool before = first <= 0.0 || channel.before.mode == ExtrapolationMode::hold;
    const bool after = last >= duration || channel.after.mode == ExtrapolationMode::hold;
    const double slack = 1e-6 * std::max(duration, 1.0); // keys are of single precision
    const bool short_spline = channel.interpolation == Interpolation::cubic && channel.times.size() < 2;
    return first >= 0.0 && last <= duration + slack && before && after && !short_spline;
}

// Times within the clip at which samples say the channel: its keys, also those of repetitions, and a grid
// where it does not run straight between them.
std::vector<float> times_of(const Channel& channel, double duration, bool straight, std::size_t limit)
{
    scene::Clip clip;
    clip.duration = duration;
    clip.channels.push_back(channel);
    const bool repeats =
        channel.before.mode == ExtrapolationMode::repeat || channel.after.mode == ExtrapolationMode::repeat;
    std::vector<float> out;
    const auto add = [&](float time) {
        if (time >= 0.0f && double{time} <= duration && (out.empty() || out.back() < time))
            out.push_back(time);
    };
    for (const double time : scene::sample_times(clip, straight ? 1e-9 : fine, limit)) {
        const auto at = static_cast<float>(time);
        // A repetition may jump where it begins: the moments around it are keys too, twice as far away as
        // sample_channel() may take it to begin and half as far as it takes two keys for a jump.
        const float around =
            static_cast<float>(std::max({std::abs(double{channel.times.front()}),
                                         std::abs(double{channel.times.back()}), time, 1e-3}) *
                               0x1p-21);
        if (repeats) add(at - around);
        if (out.empty() || out.back() < at) out.push_back(at);
        if (repeats) add(at + around);
    }
    return out;
}

std::vector<float> sampled(const Channel& channel, std::span<const float> times, std::size_t components)
{
    std::vector<float> values(times.size() * components);
    for (std::size_t k = 0; k < times.size(); ++k)
        scene::sample_channel(channel, double{times[k]},
                              std::span(values).subspan(k * components, components));
    return values;
}

// The slopes at both ends of a cubic by its values at thirds of the way: exact, and near for what is almost
// one.
void add_slopes(const Channel& channel, double from, double to, std::span<float> out, std::span<float> in)
{
    const double h = to - from;
    if (h < 1e-5) return; // a jump
    const std::size_t n = out.size();
    std::vector<float> f(4 * n);
    for (std::size_t i = 0; i < 4; ++i)
        scene::sample_channel(channel, from + h * static_cast<double>(i) / 3.0,
                              std::span(f).subspan(i * n, n));
    for (std::size_t c = 0; c < n; ++c) {
        const double f0 = f[c], f1 = f[n + c], f2 = f[2 * n + c], f3 = f[3 * n + c];
        out[c] = static_cast<float>((-11.0 * f0 + 18.0 * f1 - 9.0 * f2 + 2.0 * f3) / (2.0 * h));
        in[c] = static_cast<float>((11.0 * f3 - 18.0 * f2 + 9.0 * f1 - 2.0 * f0) / (2.0 * h));
    }
}

// Cubic keys of what a cubic channel shows at `times`.
std::vector<float> spline_values(const Channel& channel, std::span<const float> times, std::size_t components)
{
    const std::vector<float> values = sampled(channel, times, components);
    std::vector<float> keys(3 * values.size(), 0.0f);
    const auto group = [&](std::size_t key, std::size_t part) {
        return std::span(keys).subspan((3 * key + part) * components, components);
    };
    for (std::size_t k = 0; k < times.size(); ++k) {
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(k * components), components,
                    group(k, 1).begin());
        if (k > 0) add_slopes(channel, double{times[k - 1]}, double{times[k]}, group(k - 1, 2), group(k, 0));
    }
    return keys;
}

// A channel whose keys within the clip show what this one shows, of the same interpolation; cubic pieces stay
// cubic. Rotations do not run straight outside their keys, and their splines leave the unit sphere.
Channel resampled(const Channel& channel, double duration, std::size_t components, std::size_t limit)
{
    const bool cubic = channel.interpolation == Interpolation::cubic;
    const bool grid = channel.path == Path::rotation && channel.interpolation != Interpolation::step;
    Channel out{.node = channel.node,
                .path = channel.path,
                .interpolation = channel.interpolation,
                .times = times_of(channel, duration, !grid, limit),
                .values = {}};
    out.values =
        cubic ? spline_values(channel, out.times, components) : sampled(channel, out.times, components);
    if (cubic && out.times.size() == 1) {
        out.interpolation = Interpolation::step; // glTF's splines have two keys
        out.values = sampled(channel, out.times, components);
    }
    return out;
}

Channel linearised(const Channel& channel, double duration, std::size_t components, std::size_t limit)
{
    Channel out{.node = channel.node,
                .path = channel.path,
                .interpolation = Interpolation::linear,
                .times = times_of(channel, duration, false, limit),
                .values = {}};
    out.values = sampled(channel, out.times, components);
    return out;
}

// glTF wants unit quaternions, as near as numbers of 8 bits are. What is as near as evaluators leave it
// stays.
void make_unit(std::vector<float>& values, bool cubic)
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

// The frame moves through whole numbers between two keys, where the weights turn a corner.
void add_crossings(const Channel& frames, std::vector<float>& times)
{
    if (frames.interpolation != Interpolation::linear) return;
    for (std::size_t k = 1; k < frames.times.size(); ++k) {
        const double t0 = frames.times[k - 1], t1 = frames.times[k];
        const double f0 = frames.values[k - 1], f1 = frames.values[k];
        const double low = std::max(std::ceil(std::min(f0, f1)), 0.0);
        const double high = std::min(std::floor(std::max(f0, f1)), 1e6);
        for (double f = low; f <= high && f0 != f1; ++f) // NOLINT(cert-flp30-c): whole numbers
            times.push_back(static_cast<float>(t0 + (f - f0) / (f1 - f0) * (t1 - t0)));
    }
}

void sort_unique(std::vector<float>& times)
{
    std::ranges::sort(times);
    const auto tail = std::ranges::unique(times);
    times.erase(tail.begin(), tail.end());
}

// Every channel of the clip that counts, by what it animates: of two the later wins.
using Channels = std::map<std::pair<std::uint32_t, Path>, const Channel*>;

class Tracks {
public:
    Tracks(const scene::Scene& scene, const scene::Clip& clip, std::span<const FrameTargets> frames)
        : scene_(scene), duration_(clip.duration),
          share_(most_samples / std::max<std::size_t>(clip.channels.size(), 1)), frames_(frames)
    {
    }

    GltfTrack property(const Channel& channel) const
    {
        const std::size_t components = channel.path == Path::rotation ? 4 : 3;
        Channel c = within(channel, components);
        if (c.path == Path::rotation) make_unit(c.values, c.interpolation == Interpolation::cubic);
        return {c.node, c.path, c.interpolation, std::move(c.times), std::move(c.values)};
    }

    // frame, morph: either may be null. Weights of the frames' targets stand before those of the mesh's own.
    GltfTrack weights(std::uint32_t node, const Channel* frame, const Channel* morph) const
    {
        const auto mesh = scene_.nodes[node].mesh;
        const std::size_t own = scene_.meshes[mesh].morph_targets.size();
        if (!frame && morph && frames_[mesh].frame.empty()) {
            Channel c = within(*morph, own);
            return {node, Path::weights, c.interpolation, std::move(c.times), std::move(c.values)};
        }
        GltfTrack out{.node = node,
                      .path = Path::weights,
                      .interpolation = Interpolation::step,
                      .times = {},
                      .values = {}};
        Channel frames, morphs;
        if (frame) add(frames = straight(*frame, 1), out);
        if (morph) add(morphs = straight(*morph, own), out);
        if (frame) add_crossings(frames, out.times);
        sort_unique(out.times);
        thin(out.times, frames_[mesh].frame.size() + own);
        fill(out, mesh, frame ? &frames : nullptr, morph ? &morphs : nullptr);
        return out;
    }

private:
    // Keys that a channel may be sampled to.
    std::size_t keys(std::size_t components) const
    {
        return std::clamp<std::size_t>(share_ / std::max<std::size_t>(components, 1), 2,
                                       std::size_t{1} << 16);
    }

    Channel within(const Channel& channel, std::size_t components) const
    {
        return stands_as_it_is(channel, duration_)
                   ? channel
                   : resampled(channel, duration_, components, keys(components));
    }

    // Step or linear.
    Channel straight(const Channel& channel, std::size_t components) const
    {
        Channel c = within(channel, components);
        return c.interpolation == Interpolation::cubic
                   ? linearised(channel, duration_, components, keys(components))
                   : c;
    }

    static void add(const Channel& channel, GltfTrack& out)
    {
        out.times.insert(out.times.end(), channel.times.begin(), channel.times.end());
        if (channel.interpolation == Interpolation::linear) out.interpolation = Interpolation::linear;
    }

    // The most that most_weights allows, evenly over the times, both ends among them.
    static void thin(std::vector<float>& times, std::size_t weights)
    {
        const std::size_t most = std::max<std::size_t>(most_weights / weights, 2);
        if (times.size() <= most) return;
        for (std::size_t i = 0; i < most; ++i)
            times[i] = times[i * (times.size() - 1) / (most - 1)];
        times.resize(most);
    }

    void fill(GltfTrack& out, std::uint32_t mesh, const Channel* frame, const Channel* morph) const
    {
        const std::size_t own = scene_.meshes[mesh].morph_targets.size();
        const std::size_t of_frames = frames_[mesh].frame.size(), all = of_frames + own;
        const auto& node = scene_.nodes[out.node];
        const auto& rest =
            node.morph_weights.empty() ? scene_.meshes[mesh].morph_weights : node.morph_weights;
        out.values.assign(out.times.size() * all, 0.0f);
        for (std::size_t k = 0; k < out.times.size(); ++k) {
            const auto values = std::span(out.values).subspan(k * all, all);
            float at = 0.0f;
            if (frame) scene::sample_channel(*frame, double{out.times[k]}, {&at, 1});
            if (of_frames > 0) add_frame_weights(frames_[mesh], at, values.first(of_frames));
            if (morph)
                scene::sample_channel(*morph, double{out.times[k]}, values.last(own));
            else
                std::ranges::copy(rest, values.last(own).begin());
        }
    }

    const scene::Scene& scene_;
    double duration_;
    std::size_t share_; // of each channel in most_samples
    std::span<const FrameTargets> frames_;
};

// glTF's clips end with their last key: one track holds its last value up to the clip's end.
void hold_to_end(std::vector<GltfTrack>& tracks, double duration)
{
    const auto end = static_cast<float>(duration);
    const auto reaches_it = [end](const GltfTrack& track) { return track.times.back() >= end; };
    if (tracks.empty() || std::ranges::any_of(tracks, reaches_it)) return;
    auto& track = tracks.front();
    const bool cubic = track.interpolation == Interpolation::cubic;
    const std::size_t group = track.values.size() / track.times.size();
    const std::size_t size = cubic ? group / 3 : group;
    const std::vector<float> last(track.values.end() - static_cast<std::ptrdiff_t>(cubic ? 2 * size : size),
                                  track.values.end() - static_cast<std::ptrdiff_t>(cubic ? size : 0));
    track.times.push_back(end);
    if (cubic) {
        std::fill(track.values.end() - static_cast<std::ptrdiff_t>(size), track.values.end(), 0.0f);
        track.values.insert(track.values.end(), size, 0.0f);
    }
    track.values.insert(track.values.end(), last.begin(), last.end());
    if (cubic) track.values.insert(track.values.end(), size, 0.0f);
}

// A clip in which nothing moves (all of its vertex frames are alike): a node stays where it is.
void stand_still(const scene::Scene& scene, double duration, std::vector<GltfTrack>& tracks)
{
    const auto free = std::ranges::find_if(scene.nodes, [](const auto& node) { return !node.matrix; });
    if (free == scene.nodes.end()) return;
    const auto& at = free->local.translation;
    tracks.push_back({.node = static_cast<std::uint32_t>(free - scene.nodes.begin()),
                      .path = Path::translation,
                      .interpolation = Interpolation::step,
                      .times = {0.0f},
                      .values = {at.x, at.y, at.z}});
    hold_to_end(tracks, duration);
}

const Channel* find(const Channels& channels, std::uint32_t node, Path path)
{
    const auto found = channels.find({node, path});
    return found == channels.end() ? nullptr : found->second;
}

} // namespace

std::vector<GltfTrack> gltf_tracks(const scene::Scene& scene, const scene::Clip& clip,
                                   std::span<const FrameTargets> frames, const std::vector<bool>& drawn)
{
    Channels channels;
    for (const auto& channel : clip.channels)
        channels[{channel.node, channel.path}] = &channel;
    const Tracks tracks(scene, clip, frames);
    std::vector<GltfTrack> out;
    for (const auto& [what, channel] : channels) {
        const auto& [node, path] = what;
        if (path < Path::weights) {
            out.push_back(tracks.property(*channel));
            continue;
        }
        const auto* morph = find(channels, node, Path::weights);
        if (!drawn[node] || (path == Path::vertex_frame && morph != nullptr)) continue;
        const bool of_frames = !frames[scene.nodes[node].mesh].frame.empty();
        if (path == Path::vertex_frame && !of_frames) continue; // all frames are alike
        out.push_back(tracks.weights(node, find(channels, node, Path::vertex_frame), morph));
    }
    hold_to_end(out, clip.duration);
    if (out.empty() && !clip.channels.empty()) stand_still(scene, clip.duration, out);
    return out;
}

} // namespace vitrine::exporting
