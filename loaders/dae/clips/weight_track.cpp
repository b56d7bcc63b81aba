#include "loaders/dae/clips/tracks.hpp"

#include <algorithm>
#include <limits>

namespace vitrine::dae {
namespace {

// Indices cover all weights of the mesh; each <morph> counts its own from 0.
std::vector<ChannelBinding> channel_bindings_of(const MorphedNode& morphed, const Animations& animations)
{
    std::vector<ChannelBinding> all;
    for (const MorphWeights& weights : morphed.weights)
        for (ChannelBinding channel_binding : animations.channel_bindings_of(weights.array)) {
            if (channel_binding.first >= weights.count) continue;
            channel_binding.count = std::min(channel_binding.count, weights.count - channel_binding.first);
            channel_binding.first += weights.first;
            channel_binding.factor *= weights.factor;
            all.push_back(channel_binding);
        }
    return all;
}

} // namespace

WeightMotion::WeightMotion(const MorphedNode& morphed, const Animations& animations, const ClipRange& clip)
    : channel_bindings_(channel_bindings_of(morphed, animations), animations, clip)
{
    const std::vector<const SamplerCurve*> curves = channel_bindings_.curves();
    if (curves.empty()) return;
    for (const SamplerCurve* curve : curves) {
        linear_ &= curve->has_only({SamplerInterpolation::linear});
        only_steps_ &= curve->has_only({SamplerInterpolation::step}) &&
                       curve->before != InfinityBehavior::gradient &&
                       curve->after != InfinityBehavior::gradient;
        has_extrapolation_ |= curve->has_extrapolation();
    }
    TimeRange window{clip.start, clip.end};
    if (has_extrapolation_)
        ends_ = find_extrapolation(curves, linear_ ? MotionKind::linear : MotionKind::additive);
    if (ends_) {
        window = ends_->keys;
        channel_bindings_.set_end(window.end);
    }
    for (const SamplerCurve* curve : curves)
        complete_ &= add_times(*curve, window, times_);
    sort_times(times_);
}

void WeightMotion::apply_beyond(double time, std::span<double> weights)
{
    channel_bindings_.set_end(std::numeric_limits<double>::infinity());
    channel_bindings_.apply(time, JumpSide::after, weights);
}

} // namespace vitrine::dae
