#pragma once
// Fields of animations in messages: layers, and the clips of other scenes that they play.

#include "loaders/scene/layers/animation_layers.hpp"
#include "server/render_process/fields.hpp"

namespace vitrine::render_process {

template <>
inline constexpr auto last_value<scene::LayerMode> = scene::LayerMode::additive;
template <>
inline constexpr auto last_value<scene::Path> = scene::Path::vertex_frame;
template <>
inline constexpr auto last_value<scene::Interpolation> = scene::Interpolation::cubic;
template <>
inline constexpr auto last_value<scene::ExtrapolationMode> = scene::ExtrapolationMode::slope;

void describe(auto& fields, Is<glm::quat> auto& rotation)
{
    fields(rotation.x, rotation.y, rotation.z, rotation.w);
}

void describe(auto& fields, Is<scene::Extrapolation> auto& extrapolation)
{
    fields(extrapolation.mode, extrapolation.repeats);
}

void describe(auto& fields, Is<scene::Channel> auto& channel)
{
    fields(channel.node, channel.path, channel.interpolation, channel.times, channel.values, channel.before,
           channel.after, channel.is_placeholder);
}

// What poses need.
void describe(auto& fields, Is<scene::Clip> auto& clip)
{
    fields(clip.duration, clip.channels);
}

void describe(auto& fields, Is<scene::LayerReference> auto& reference)
{
    fields(reference.clip, reference.bound_clip, reference.time);
}

void describe(auto& fields, Is<scene::PoseLayer> auto& layer)
{
    fields(layer.clip, layer.bound_clip, layer.time, layer.speed, layer.repeats, layer.weight, layer.mode,
           layer.mask, layer.reference);
}

void describe(auto& fields, Is<scene::JointAdjustment> auto& adjustment)
{
    fields(adjustment.node, adjustment.rotation, adjustment.translation, adjustment.scale);
}

void describe(auto& fields, Is<scene::JointReach> auto& reach)
{
    fields(reach.node, reach.target, reach.pole);
}

void describe(auto& fields, Is<scene::AnimationLayers> auto& layers)
{
    fields(layers.layers, layers.adjustments, layers.reaches, layers.key);
}

} // namespace vitrine::render_process
