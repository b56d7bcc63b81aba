#include "loaders/scene/motion/clip_motion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace vitrine::scene {
namespace {

// The value of the first key. In cubic keys it is between two tangents.
std::span<const float> first_value(const Channel& channel)
{
    const std::size_t stride = channel.values.size() / channel.times.size();
    const bool cubic = channel.interpolation == Interpolation::cubic;
    const std::size_t components = cubic ? stride / 3 : stride;
    return std::span(channel.values).subspan(cubic ? components : 0, components);
}

bool differ(std::span<const float> a, std::span<const float> b, float sign, float min_change)
{
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
        if (!(std::abs(a[i] - sign * b[i]) <= min_change)) return true;
    return false;
}

} // namespace

ClipMotion::ClipMotion(const Scene& scene, double size)
    : min_translation_(static_cast<float>(1e-4 * std::clamp(size, 0.0, 1.0)))
{
    static_pose(scene, rest_);
}

bool ClipMotion::moves(const Channel& channel) const
{
    if (channel.times.size() < 2) return false;
    const std::span values(channel.values);
    const std::size_t stride = values.size() / channel.times.size();
    const auto first = values.first(stride);
    const float small = min_change(channel.path);
    const bool has_signs = channel.path == Path::rotation && channel.interpolation != Interpolation::cubic;
    for (std::size_t at = stride; at + stride <= values.size(); at += stride) {
        const auto key = values.subspan(at, stride);
        if (differ(key, first, 1.0f, small) && (!has_signs || differ(key, first, -1.0f, small))) return true;
    }
    return false;
}

bool ClipMotion::moves(const Clip& clip) const
{
    return clip.duration > 0.0 &&
           std::ranges::any_of(clip.channels, [&](const Channel& channel) { return moves(channel); });
}

bool ClipMotion::differs_from_static_pose(const Clip& clip) const
{
    return std::ranges::any_of(clip.channels,
                               [&](const Channel& channel) { return differs_from_rest(channel); });
}

bool ClipMotion::differs_from_rest(const Channel& channel) const
{
    if (channel.times.empty()) return false;
    const auto value = first_value(channel);
    const auto& local = rest_.local[channel.node];
    const auto is_different = [&](std::span<const float> rest, float sign = 1.0f) {
        return differ(value, rest, sign, min_change(channel.path));
    };
    switch (channel.path) {
    case Path::translation:
        return is_different(std::array{local.translation.x, local.translation.y, local.translation.z});
    case Path::scale: return is_different(std::array{local.scale.x, local.scale.y, local.scale.z});
    case Path::rotation: {
        const std::array rest{local.rotation.x, local.rotation.y, local.rotation.z, local.rotation.w};
        return is_different(rest) && is_different(rest, -1.0f);
    }
    case Path::weights: {
        const auto first = rest_.first_weight[channel.node], end = rest_.first_weight[channel.node + 1];
        return is_different(std::span(rest_.morph_weights).subspan(first, end - first));
    }
    case Path::vertex_frame: return is_different(std::array{0.0f});
    }
    return false;
}

} // namespace vitrine::scene
