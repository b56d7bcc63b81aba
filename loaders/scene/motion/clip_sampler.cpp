#include "loaders/scene/motion/clip_sampler.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstring>

#include "loaders/scene/motion/sampling.hpp"

namespace vitrine::scene {
namespace {

// Lanes and poses of a block need 1.7 kB a node.
constexpr std::size_t max_nodes = 4096;
// Fewer poses are computed one by one.
constexpr std::size_t min_block = 3;
// Earlier groups with which the keys of a channel are compared.
constexpr std::size_t compared_groups = 4;

bool is_transform(Path path)
{
    return path == Path::translation || path == Path::rotation || path == Path::scale;
}

std::size_t first_lane(Path path)
{
    return path == Path::translation ? LocalLanes::translation
           : path == Path::rotation  ? LocalLanes::rotation
                                     : LocalLanes::scale;
}

bool are_equal(std::span<const float> a, std::span<const float> b)
{
    return a.size() == b.size() &&
           (a.data() == b.data() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

bool is_held(const Extrapolation& extrapolation)
{
    return extrapolation.mode == ExtrapolationMode::hold;
}

std::size_t width_of(Path path)
{
    return path == Path::rotation ? 4 : 3;
}

// Whether all values of a translation, rotation or scale have the same bits. Rotations that are not unit
// quaternions may be normalized and are not constant.
bool is_constant(const Channel& channel)
{
    const std::size_t width = width_of(channel.path);
    const std::span<const float> values(channel.values.data(), channel.values.size());
    if (channel.interpolation == Interpolation::cubic || values.size() < width) return false;
    if (!is_held(channel.before) || !is_held(channel.after)) return false;
    if (!are_equal(values.subspan(width), values.first(values.size() - width))) return false;
    const auto length = [&] {
        return values[0] * values[0] + values[1] * values[1] + values[2] * values[2] + values[3] * values[3];
    };
    return channel.path != Path::rotation || std::abs(length() - 1.0f) < 1e-6f;
}

} // namespace

void ClipSampler::begin(const Scene& scene, std::uint32_t clip)
{
    assert(clip == none || clip < scene.clips.size());
    scene_ = &scene;
    clip_ = clip;
    is_large_ = scene.nodes.size() > max_nodes;
    is_prepared_ = false;
}

void ClipSampler::prepare()
{
    static_pose(*scene_, rest_);
    groups_.clear();
    tracks_.clear();
    add_nodes();
    if (clip_ != none) add_tracks(scene_->clips[clip_]);
    is_prepared_ = true;
}

void ClipSampler::add_nodes()
{
    nodes_.clear();
    local_.resize(scene_->nodes.size());
    model_.resize(scene_->nodes.size());
    for (std::uint32_t i = 0; i < scene_->nodes.size(); ++i) {
        const Node& node = scene_->nodes[i];
        nodes_.push_back({.node = i, .parent = node.parent, .matrix = node.matrix ? &*node.matrix : nullptr});
        const Trs& trs = node.local;
        const std::array<float, LocalLanes::count> values{
            trs.translation.x, trs.translation.y, trs.translation.z, trs.rotation.x, trs.rotation.y,
            trs.rotation.z,    trs.rotation.w,    trs.scale.x,       trs.scale.y,    trs.scale.z};
        for (std::size_t k = 0; k < values.size(); ++k)
            std::ranges::fill(local_[i].values[k], values[k]);
    }
}

// Writes the value of a channel that always has the same: interpolation of equal values gives this value, bit
// by bit. Returns false for other channels, and if the value would replace that of an earlier track.
bool ClipSampler::hold_constant(const Channel& channel)
{
    if (!is_transform(channel.path) || !is_constant(channel)) return false;
    if ((tracked_[channel.node] & (1u << static_cast<unsigned>(channel.path))) != 0) return false;
    Lane* out = local_[channel.node].values + first_lane(channel.path);
    for (std::size_t c = 0; c < width_of(channel.path); ++c)
        std::ranges::fill(out[c], channel.values[c]);
    return true;
}

void ClipSampler::add_tracks(const Clip& clip)
{
    tracked_.assign(scene_->nodes.size(), 0);
    for (const Channel& channel : clip.channels) {
        if (is_transform(channel.path)) nodes_[channel.node].has_tracks = true;
        if (hold_constant(channel)) continue;
        tracked_[channel.node] |= static_cast<std::uint8_t>(1u << static_cast<unsigned>(channel.path));
        tracks_.push_back({&channel, is_transform(channel.path) ? group_of(channel) : 0});
    }
}

std::uint32_t ClipSampler::group_of(const Channel& channel)
{
    const bool step = channel.interpolation == Interpolation::step;
    const std::size_t end = groups_.size();
    for (std::size_t i = end; i > 0 && i + compared_groups > end; --i) {
        const KeyGroup& group = groups_[i - 1];
        if ((group.interpolation == Interpolation::step) == step && are_equal(group.times, channel.times))
            return static_cast<std::uint32_t>(i - 1);
    }
    groups_.push_back({.times = channel.times, .interpolation = channel.interpolation});
    return static_cast<std::uint32_t>(end);
}

void ClipSampler::sample(std::span<const double> times, std::span<Pose> poses)
{
    assert(times.size() == poses.size());
    for (std::size_t first = 0; first < times.size(); first += lane_count) {
        const std::size_t count = std::min(lane_count, times.size() - first);
        if (!is_large_ && count >= min_block) {
            sample_block(times.subspan(first, count), poses.subspan(first, count));
            continue;
        }
        for (std::size_t i = first; i < first + count; ++i)
            sample_pose(*scene_, clip_, times[i], poses[i]);
    }
}

void ClipSampler::locate(KeyGroup& group) const
{
    find_keys(group.times, group.interpolation, times_, group.cursor, group.at);
    const auto [first, last] = std::ranges::minmax(times_);
    group.before = first < double{group.times.front()};
    group.after = last > double{group.times.back()};
}

void ClipSampler::sample_block(std::span<const double> times, std::span<Pose> poses)
{
    if (!is_prepared_) prepare();
    const double end = clip_ == none ? 0.0 : scene_->clips[clip_].duration;
    OriginLanes origins;
    for (std::size_t i = 0; i < lane_count; ++i) {
        const std::size_t from = std::min(i, times.size() - 1);
        times_[i] = times[from] > 0.0 ? std::min(times[from], end) : 0.0;
        for (std::size_t axis = 0; axis < 3; ++axis)
            origins.values[axis][i] = poses[from].origin[static_cast<glm::length_t>(axis)];
    }
    for (Pose& pose : poses)
        copy_static_state(pose);
    for (KeyGroup& group : groups_)
        locate(group);
    for (const Track& track : tracks_)
        sample_track(track, poses);
    place_nodes(nodes_, local_, model_, origins, poses);
}

// What place_nodes() and the tracks do not write.
void ClipSampler::copy_static_state(Pose& pose) const
{
    pose.model.resize(nodes_.size());
    pose.local.resize(nodes_.size());
    for (const PlacedNode& placed : nodes_)
        if (!placed.has_tracks) pose.local[placed.node] = rest_.local[placed.node];
    pose.morph_weights = rest_.morph_weights;
    pose.first_weight = rest_.first_weight;
    pose.vertex_frame = rest_.vertex_frame;
    pose.matrices.clear();
}

void ClipSampler::sample_track(const Track& track, std::span<Pose> poses)
{
    const Channel& channel = *track.channel;
    if (channel.path == Path::weights) return sample_weights(channel, poses);
    if (channel.path == Path::vertex_frame) return sample_vertex_frames(channel, poses);
    const KeyGroup& group = groups_[track.group];
    Lane* out = local_[channel.node].values + first_lane(channel.path);
    const bool extrapolated =
        (group.before && !is_held(channel.before)) || (group.after && !is_held(channel.after));
    if (extrapolated || !sample_in_lanes(channel, group.at, out)) sample_each(channel, out);
}

// Returns false if a rotation is not a unit quaternion.
bool ClipSampler::sample_in_lanes(const Channel& channel, const KeyLanes& at, Lane* out) const
{
    const float* values = channel.values.data();
    const bool cubic = channel.interpolation == Interpolation::cubic;
    if (channel.path == Path::rotation)
        return cubic ? sample_cubic_rotations(values, at, out) : sample_rotations(values, at, out);
    if (cubic)
        sample_cubic_vectors(values, at, out);
    else
        sample_vectors(values, at, out);
    return true;
}

void ClipSampler::sample_each(const Channel& channel, Lane* out) const
{
    std::array<float, 4> value{};
    const auto components = std::span(value).first(channel.path == Path::rotation ? 4 : 3);
    for (std::size_t i = 0; i < lane_count; ++i) {
        sample_channel(channel, times_[i], components);
        for (std::size_t c = 0; c < components.size(); ++c)
            out[c][i] = components[c];
    }
}

void ClipSampler::sample_weights(const Channel& channel, std::span<Pose> poses) const
{
    const std::uint32_t first = rest_.first_weight[channel.node];
    const std::uint32_t count = rest_.first_weight[channel.node + 1] - first;
    for (std::size_t i = 0; i < poses.size(); ++i)
        sample_channel(channel, times_[i], std::span(poses[i].morph_weights).subspan(first, count));
}

void ClipSampler::sample_vertex_frames(const Channel& channel, std::span<Pose> poses) const
{
    const std::uint32_t frames = scene_->meshes[scene_->nodes[channel.node].mesh].frames.count;
    for (std::size_t i = 0; i < poses.size(); ++i)
        poses[i].vertex_frame[channel.node] = sample_frames(channel, times_[i], frames);
}

} // namespace vitrine::scene
