// A pose as a clip of one key per property.
#include <cmath>
#include <set>
#include <utility>

#include "loaders/scene/layers/bake_motion.hpp"
#include "loaders/scene/motion/sampling.hpp"

namespace vitrine::scene {
namespace {

// Layers that only play a clip over the static pose, as time passes.
bool plays_one_clip(const AnimationLayers& layers)
{
    if (layers.layers.size() != 1) return false;
    const PoseLayer& layer = layers.layers.front();
    return !layer.time && layer.speed == 1.0 && layer.weight == 1.0f && layer.mask.empty() &&
           layer.mode == LayerMode::override;
}

using NodeProperty = std::pair<std::uint32_t, Path>;

// What the clip sets as an upper layer.
std::set<NodeProperty> properties_of(const Clip& clip)
{
    std::set<NodeProperty> properties;
    for (const Channel& channel : clip.channels)
        if (!channel.is_placeholder) properties.emplace(channel.node, channel.path);
    return properties;
}

std::uint32_t nearest(std::uint32_t from, std::uint32_t to, float fraction)
{
    return fraction < 0.5f ? from : to;
}

// Two keys around the time 0 that give the fraction.
void set_frames(const FrameBlend& blend, Channel& channel)
{
    const bool is_mixed = blend.over_weight > 0.0f;
    const std::uint32_t from = is_mixed ? nearest(blend.from, blend.to, blend.fraction) : blend.from;
    const std::uint32_t to =
        is_mixed ? nearest(blend.over_from, blend.over_to, blend.over_fraction) : blend.to;
    const float fraction = is_mixed ? blend.over_weight : blend.fraction;
    if (fraction <= 0.0f || fraction >= 1.0f) {
        channel.times.push_back(0.0f);
        channel.values.push_back(static_cast<float>(fraction <= 0.0f ? from : to));
        return;
    }
    channel.times.push_back(-fraction);
    channel.times.push_back(1.0f - fraction);
    channel.values.push_back(static_cast<float>(from));
    channel.values.push_back(static_cast<float>(to));
}

void set_values(const Pose& pose, Channel& channel)
{
    const Trs& local = pose.local[channel.node];
    const auto add = [&](const glm::vec3& v) {
        for (const int i : {0, 1, 2})
            channel.values.push_back(v[i]);
    };
    if (channel.path == Path::vertex_frame) return set_frames(pose.vertex_frame[channel.node], channel);
    channel.times.push_back(0.0f);
    switch (channel.path) {
    case Path::translation: return add(local.translation);
    case Path::scale: return add(local.scale);
    case Path::rotation:
        add({local.rotation.x, local.rotation.y, local.rotation.z});
        return channel.values.push_back(local.rotation.w);
    case Path::weights:
        for (auto i = pose.first_weight[channel.node]; i < pose.first_weight[channel.node + 1]; ++i)
            channel.values.push_back(pose.morph_weights[i]);
        return;
    case Path::vertex_frame: return;
    }
}

Clip clip_of_pose(const Scene& scene, const Pose& pose, const std::set<NodeProperty>& left_out)
{
    Clip clip{.channels = {}};
    for (std::uint32_t node = 0; node < scene.nodes.size(); ++node) {
        for (const Path path :
             {Path::translation, Path::rotation, Path::scale, Path::weights, Path::vertex_frame}) {
            const bool is_transform =
                path == Path::translation || path == Path::rotation || path == Path::scale;
            if (is_transform && scene.nodes[node].matrix) continue;
            if (components(scene, path, scene.nodes[node]) == 0 || left_out.contains({node, path})) continue;
            Channel channel{.node = node, .path = path, .times = {}, .values = {}};
            set_values(pose, channel);
            clip.channels.push_back(std::move(channel));
        }
    }
    return clip;
}

} // namespace

std::optional<HeldPose> hold_pose(const Scene& scene, const AnimationLayers& layers, double time)
{
    if (scene.nodes.size() > max_held_nodes || !layers_fit(scene, layers)) return std::nullopt;
    Pose pose;
    sample_layers(scene, {.layers = layers.layers}, time, pose);
    HeldPose held;
    std::set<NodeProperty> left_out;
    if (plays_one_clip(layers)) {
        held.playing = layers.layers.front();
        left_out = properties_of(clip_of(scene, *held.playing));
    }
    held.rest = std::make_shared<const Clip>(clip_of_pose(scene, pose, left_out));
    return held;
}

} // namespace vitrine::scene
