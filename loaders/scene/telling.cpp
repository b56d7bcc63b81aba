#include "loaders/scene/telling.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace vitrine::scene {
namespace {

constexpr double telling_part = 0.35; // of the clip's duration

// Whether the values of two keys differ anywhere.
bool moves(const Channel& channel)
{
    if (channel.times.size() < 2) return false;
    const std::size_t stride = channel.values.size() / channel.times.size();
    for (std::size_t i = stride; i < channel.values.size(); ++i)
        if (std::abs(channel.values[i] - channel.values[i % stride]) > 1e-4f) return true;
    return false;
}

// Players of games die in their first clips, and nobody is known by that.
bool is_an_end(const Clip& clip)
{
    std::string name = clip.name;
    std::ranges::transform(name, name.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return name.contains("death") || name.contains("dead") || name.contains("die");
}

} // namespace

std::uint32_t first_moving_clip(const Scene& scene)
{
    std::uint32_t first = none;
    for (std::uint32_t clip = 0; clip < scene.clips.size(); ++clip) {
        const auto& candidate = scene.clips[clip];
        if (candidate.duration <= 0.0 || !std::ranges::any_of(candidate.channels, moves)) continue;
        if (!is_an_end(candidate)) return clip;
        first = std::min(first, clip);
    }
    return first;
}

TellingMoment telling_moment(const Scene& scene)
{
    const auto clip = first_moving_clip(scene);
    if (clip == none) return {};
    return {clip, telling_part * scene.clips[clip].duration};
}

} // namespace vitrine::scene
