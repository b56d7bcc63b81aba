#include "loaders/scene/layers/animation_layers.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "loaders/scene/motion/interpolation.hpp"
#include "loaders/scene/motion/matrix.hpp"
#include "loaders/scene/motion/sampling.hpp"

namespace vitrine::scene {
namespace {

constexpr double max_reach_meters = 1e9; // of points, from the origin

constexpr std::uint8_t bit(Path path)
{
    return static_cast<std::uint8_t>(1u << static_cast<unsigned>(path));
}

bool applies_to(const PoseLayer& layer, std::uint32_t node)
{
    return layer.mask.empty() || layer.mask[node] != 0;
}

QuaternionOf<double> to_double(const glm::quat& q)
{
    return {double{q.x}, double{q.y}, double{q.z}, double{q.w}};
}

glm::quat mix_rotations(const glm::quat& from, const glm::quat& to, double weight)
{
    const auto q = slerp_shortest(to_double(from), to_double(to), weight);
    return safe_normalize(
        {static_cast<float>(q.w), static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z)});
}

// The rotation from `start` to `end` along the shortest arc, its angle multiplied by `weight`.
glm::dquat rotation_between(const glm::quat& start, const glm::quat& end, double weight)
{
    auto change = glm::normalize(glm::inverse(glm::dquat(start)) * glm::dquat(end));
    if (change.w < 0.0) change = -change;
    const glm::dvec3 axis(change.x, change.y, change.z);
    const double sine = glm::length(axis);
    if (sine < 1e-12) return {1.0, 0.0, 0.0, 0.0};
    const double half = std::atan2(sine, change.w) * weight;
    return {std::cos(half), axis * (std::sin(half) / sine)};
}

// (end / start)^weight. A size of 0 has no ratio; a change of sign counts from half of the weight on.
float scale_ratio(float start, float end, float weight)
{
    const float ratio = end / start;
    if (!std::isfinite(ratio)) return 1.0f;
    const float size = std::pow(std::abs(ratio), weight);
    return ratio < 0.0f && weight >= 0.5f ? -size : size;
}

// Mixes two blends of vertex frames. A pose holds two of them, so an earlier mix keeps its larger part.
FrameBlend mix_frames(const FrameBlend& below, const FrameBlend& above, float weight)
{
    if (weight <= 0.0f) return below;
    if (weight >= 1.0f) return above;
    FrameBlend mixed = below;
    if (below.over_weight > 0.5f) {
        mixed.from = below.over_from;
        mixed.to = below.over_to;
        mixed.fraction = below.over_fraction;
    }
    mixed.over_from = above.from;
    mixed.over_to = above.to;
    mixed.over_fraction = above.fraction;
    mixed.over_weight = weight;
    return mixed;
}

void override_local(const Trs& value, std::uint8_t set, double weight, Trs& local)
{
    const auto w = static_cast<float>(weight);
    if (set & bit(Path::translation)) local.translation = glm::mix(local.translation, value.translation, w);
    if (set & bit(Path::rotation))
        local.rotation =
            weight >= 1.0 ? value.rotation : mix_rotations(local.rotation, value.rotation, weight);
    if (set & bit(Path::scale)) local.scale = glm::mix(local.scale, value.scale, w);
}

void add_local(const Trs& start, const Trs& value, std::uint8_t set, float weight, Trs& local)
{
    if (set & bit(Path::translation)) local.translation += weight * (value.translation - start.translation);
    if (set & bit(Path::rotation)) {
        const auto change = rotation_between(start.rotation, value.rotation, double{weight});
        local.rotation = glm::quat(glm::normalize(glm::dquat(local.rotation) * change));
    }
    if (set & bit(Path::scale))
        for (int i = 0; i < 3; ++i)
            local.scale[i] *= scale_ratio(start.scale[i], value.scale[i], weight);
}

std::uint32_t frame_count(const Scene& scene, std::uint32_t node)
{
    const std::uint32_t mesh = scene.nodes[node].mesh;
    return mesh < scene.meshes.size() ? scene.meshes[mesh].frames.count : 0;
}

bool has_values(const Scene& scene, const Channel& channel)
{
    if (channel.node >= scene.nodes.size() || channel.times.empty()) return false;
    const auto floats = components(scene, channel.path, scene.nodes[channel.node]);
    const std::size_t groups = channel.interpolation == Interpolation::cubic ? 3 : 1;
    return floats > 0 && channel.values.size() == groups * floats * channel.times.size() &&
           std::ranges::is_sorted(channel.times);
}

// Whether the scene has the clip of a layer or reference, and the nodes of a bound one.
bool clip_fits(const Scene& scene, const auto& motion)
{
    if (!motion.bound_clip) return motion.clip < scene.clips.size();
    return std::ranges::all_of(motion.bound_clip->channels,
                               [&](const Channel& channel) { return has_values(scene, channel); });
}

bool layer_fits(const Scene& scene, const PoseLayer& layer)
{
    if (!layer.mask.empty() && layer.mask.size() != scene.nodes.size()) return false;
    const bool finite = std::isfinite(layer.time.value_or(0.0)) && std::isfinite(layer.speed) &&
                        std::abs(layer.weight) <= max_additive_weight;
    return finite && clip_fits(scene, layer) &&
           (!layer.reference || (std::isfinite(layer.reference->time) && clip_fits(scene, *layer.reference)));
}

bool is_finite(const JointAdjustment& a)
{
    const auto sum = [](const glm::vec3& v) { return v.x + v.y + v.z; };
    return std::isfinite(sum(a.translation) + sum(a.scale)) &&
           std::abs(glm::length(a.rotation) - 1.0f) < 1e-3f;
}

bool reach_fits(const Scene& scene, const JointReach& reach)
{
    const auto is_point = [](const glm::dvec3& p) {
        return std::ranges::all_of(std::array{p.x, p.y, p.z},
                                   [](double v) { return std::abs(v) <= max_reach_meters; });
    };
    return reach.node < scene.nodes.size() && ends_limb(scene, reach.node) && is_point(reach.target) &&
           is_point(reach.pole.value_or(reach.target));
}

} // namespace

glm::quat rotation_of_degrees(glm::dvec3 degrees)
{
    const auto about = [&](int axis) {
        glm::dvec3 direction(0.0);
        direction[axis] = 1.0;
        return glm::angleAxis(glm::radians(degrees[axis]), direction);
    };
    return glm::quat(glm::normalize(about(0) * about(1) * about(2)));
}

const Clip& clip_of(const Scene& scene, const PoseLayer& layer)
{
    assert(layer.bound_clip || layer.clip < scene.clips.size());
    return layer.bound_clip ? *layer.bound_clip : scene.clips[layer.clip];
}

const Clip& clip_of(const Scene& scene, const LayerReference& reference)
{
    return reference.bound_clip ? *reference.bound_clip : scene.clips[reference.clip];
}

double layer_time(const Scene& scene, const PoseLayer& layer, double time)
{
    const double end = clip_of(scene, layer).duration;
    double at = layer.time ? *layer.time : time * layer.speed;
    if (!layer.time && layer.repeats && end > 0.0 && (at > end || at < 0.0)) {
        at = std::fmod(at, end);
        if (at < 0.0) at += end;
    }
    return at > 0.0 ? std::min(at, end) : 0.0;
}

double duration_of(const Scene& scene, const AnimationLayers& layers)
{
    for (const PoseLayer& layer : layers.layers)
        if (!layer.time && layer.speed != 0.0) return clip_of(scene, layer).duration / std::abs(layer.speed);
    return 0.0;
}

// Samples a channel into the values of its node.
void LayerSampler::read_channel(const Scene& scene, const Channel& channel, double time, const Pose& pose,
                                ChannelValues& values)
{
    const std::uint32_t node = channel.node;
    switch (channel.path) {
    case Path::translation:
    case Path::rotation:
    case Path::scale:
        sample_transform(channel, time, ExtrapolationPolicy::extrapolated, values.local[node]);
        break;
    case Path::weights: {
        const auto first = pose.first_weight[node];
        const auto count = pose.first_weight[node + 1] - first;
        sample_channel(channel, time, std::span(values.weights).subspan(first, count));
        break;
    }
    case Path::vertex_frame:
        values.frames[node] = sample_frames(channel, time, frame_count(scene, node));
        break;
    }
}

// Samples the channels of the layer's clip that apply, and marks what they set.
void LayerSampler::read(const Scene& scene, const PoseLayer& layer, double time, const Pose& pose,
                        bool is_first, ChannelValues& values)
{
    for (const Channel& channel : clip_of(scene, layer).channels) {
        const std::uint32_t node = channel.node;
        if (!applies_to(layer, node) || (channel.is_placeholder && !is_first)) continue;
        if (set_[node] == 0) touched_.push_back(node);
        set_[node] |= bit(channel.path);
        read_channel(scene, channel, time, pose, values);
    }
}

// Writes the reference's pose of the nodes that the layer's clip sets to start_.
void LayerSampler::read_reference(const Scene& scene, const LayerReference& reference, const Pose& pose)
{
    const Clip& clip = clip_of(scene, reference);
    for (const std::uint32_t node : touched_) {
        const auto weights = default_weights(scene, scene.nodes[node]);
        start_.local[node] = scene.nodes[node].local;
        std::ranges::copy(weights, start_.weights.begin() + pose.first_weight[node]);
    }
    const double time = std::clamp(reference.time, 0.0, clip.duration);
    for (const Channel& channel : clip.channels)
        if (set_[channel.node] != 0) read_channel(scene, channel, time, pose, start_);
}

void LayerSampler::mix(const PoseLayer& layer, std::uint32_t node, Pose& pose) const
{
    const bool adds = layer.mode == LayerMode::additive;
    const std::uint8_t set = set_[node];
    if (adds)
        add_local(start_.local[node], values_.local[node], set, layer.weight, pose.local[node]);
    else
        override_local(values_.local[node], set, double{layer.weight}, pose.local[node]);
    if (set & bit(Path::vertex_frame))
        pose.vertex_frame[node] = mix_frames(pose.vertex_frame[node], values_.frames[node], layer.weight);
    if (!(set & bit(Path::weights))) return;
    for (auto i = pose.first_weight[node]; i < pose.first_weight[node + 1]; ++i)
        pose.morph_weights[i] +=
            layer.weight * (values_.weights[i] - (adds ? start_.weights[i] : pose.morph_weights[i]));
}

void LayerSampler::apply(const Scene& scene, const PoseLayer& layer, double time, Pose& pose, bool is_first)
{
    set_.assign(scene.nodes.size(), 0);
    touched_.clear();
    for (ChannelValues* values : {&values_, &start_}) {
        values->local.resize(scene.nodes.size());
        values->frames.resize(scene.nodes.size());
        values->weights.resize(pose.morph_weights.size());
    }
    read(scene, layer, layer_time(scene, layer, time), pose, is_first, values_);
    const bool adds = layer.mode == LayerMode::additive;
    if (adds && !layer.reference) read(scene, layer, 0.0, pose, is_first, start_);
    if (adds && layer.reference) read_reference(scene, *layer.reference, pose);
    for (const std::uint32_t node : touched_)
        mix(layer, node, pose);
}

void LayerSampler::sample(const Scene& scene, const AnimationLayers& layers, double time, Pose& pose)
{
    reset_to_static(scene, pose);
    for (const PoseLayer& layer : layers.layers)
        apply(scene, layer, time, pose, &layer == &layers.layers.front());
    adjust_joints(scene, layers.adjustments, pose);
    reach_joints(scene, layers.reaches, pose);
    local_to_model(scene, pose);
}

void sample_layers(const Scene& scene, const AnimationLayers& layers, double time, Pose& pose)
{
    LayerSampler().sample(scene, layers, time, pose);
}

bool layers_fit(const Scene& scene, const AnimationLayers& layers)
{
    return layers.layers.size() <= max_layers && layers.adjustments.size() <= max_adjustments &&
           layers.reaches.size() <= max_reaches &&
           std::ranges::all_of(layers.layers, [&](const auto& layer) { return layer_fits(scene, layer); }) &&
           std::ranges::all_of(
               layers.adjustments,
               [&](const JointAdjustment& a) { return a.node < scene.nodes.size() && is_finite(a); }) &&
           std::ranges::all_of(layers.reaches, [&](const auto& reach) { return reach_fits(scene, reach); });
}

} // namespace vitrine::scene
