#include "loaders/scene/motion/cut_clip.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace vitrine::scene {
namespace {

struct KeyRange {
    std::size_t first = 0;
    std::size_t end = 0;
};

// The keys from the last one not after `from` to the first one not before `to`; all keys if the part extends
// beyond them and a repetition may be visible.
KeyRange needed_keys(const Channel& channel, double from, double to)
{
    const auto& times = channel.times;
    const auto holds = [](const Extrapolation& outside) { return outside.mode == ExtrapolationMode::hold; };
    const bool inside = (holds(channel.before) || from >= double{times.front()}) &&
                        (holds(channel.after) || to <= double{times.back()});
    if (!inside) return {0, times.size()};
    const auto as_double = [](float t) { return double{t}; };
    const auto after = std::ranges::upper_bound(times, from, {}, as_double);
    const auto last = std::ranges::lower_bound(times, to, {}, as_double);
    const auto first = static_cast<std::size_t>(std::max(after - times.begin() - 1, std::ptrdiff_t{0}));
    const auto end = std::min(static_cast<std::size_t>(last - times.begin()) + 1, times.size());
    return {first, std::max(end, first + 1)};
}

// Slopes are per second.
void scale_tangents(Channel& channel, float speed)
{
    const auto width = channel.values.size() / channel.times.size() / 3;
    for (std::size_t i = 0; i < channel.values.size(); ++i)
        if (i / width % 3 != 1) channel.values[i] *= speed;
}

// Rounding to single precision may make two key times equal: the later key is kept.
void append_key(Channel& out, const Channel& channel, std::size_t key, float time)
{
    const auto stride = channel.values.size() / channel.times.size();
    if (out.times.empty() || time > out.times.back())
        out.times.push_back(time);
    else
        out.values.resize(out.values.size() - stride);
    const auto values = channel.values.begin() + static_cast<std::ptrdiff_t>(key * stride);
    out.values.insert(out.values.end(), values, values + static_cast<std::ptrdiff_t>(stride));
}

Channel cut_channel(const Channel& channel, double from, double to, double speed)
{
    Channel out;
    out.node = channel.node;
    out.path = channel.path;
    out.interpolation = channel.interpolation;
    out.before = channel.before;
    out.after = channel.after;
    const auto keys = needed_keys(channel, from, to);
    for (auto key = keys.first; key < keys.end; ++key)
        append_key(out, channel, key, static_cast<float>((double{channel.times[key]} - from) / speed));
    if (channel.interpolation == Interpolation::cubic) scale_tangents(out, static_cast<float>(speed));
    return out;
}

} // namespace

Clip cut_clip(const Clip& clip, double from, double to, double speed)
{
    assert(from < to && speed > 0.0);
    Clip part;
    part.duration = (to - from) / speed;
    for (const auto& channel : clip.channels)
        if (!channel.times.empty()) part.channels.push_back(cut_channel(channel, from, to, speed));
    return part;
}

} // namespace vitrine::scene
