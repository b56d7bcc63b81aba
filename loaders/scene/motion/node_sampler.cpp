#include "loaders/scene/motion/node_sampler.hpp"

#include <algorithm>
#include <array>

#include "loaders/scene/motion/sampling.hpp"

namespace vitrine::scene {

NodeSampler::NodeSampler(const Scene& scene, std::uint32_t clip, std::uint32_t node)
    : node_(scene.nodes[node]), duration_(scene.clips[clip].duration)
{
    for (const Channel& channel : scene.clips[clip].channels) {
        if (channel.node != node || channel.path == Path::vertex_frame) continue;
        (channel.path == Path::weights ? weights_ : transforms_).push_back(&channel);
    }
    const auto weights = default_weights(scene, node_);
    static_weights_.assign(weights.begin(), weights.end());
}

// As sample_pose().
double NodeSampler::clamped(double time) const
{
    return time > 0.0 ? std::min(time, duration_) : 0.0;
}

Trs NodeSampler::local_at(double time) const
{
    Trs local = node_.local;
    for (const Channel* channel : transforms_)
        sample_transform(*channel, clamped(time), ExtrapolationPolicy::extrapolated, local);
    return local;
}

std::span<const float> NodeSampler::weights_at(double time)
{
    values_ = static_weights_;
    for (const Channel* channel : weights_)
        sample_channel(*channel, clamped(time), values_);
    return values_;
}

} // namespace vitrine::scene
