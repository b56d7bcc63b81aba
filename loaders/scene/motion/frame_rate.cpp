#include "loaders/scene/motion/frame_rate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "loaders/base/model_formats.hpp"

namespace vitrine::scene {
namespace {

constexpr double max_frames = 1e9; // times in files are arbitrary

double last_time(std::span<const Channel> channels)
{
    double last = 0.0;
    for (const Channel& channel : channels)
        if (!channel.times.empty()) last = std::max(last, double{channel.times.back()});
    return last;
}

// Smallest interval in seconds between keys; infinite with fewer than two keys. Times are floats, so a single
// interval late in a clip is imprecise: if the keys of the densest channel are evenly spaced, their mean
// interval is used.
double step_between_keys(std::span<const Channel> channels)
{
    double smallest = std::numeric_limits<double>::infinity(), mean = smallest;
    for (const Channel& channel : channels) {
        const auto& times = channel.times;
        if (times.size() < 2) continue;
        for (std::size_t n = 1; n < times.size(); ++n)
            smallest = std::min(smallest, double{times[n]} - double{times[n - 1]});
        const double span = double{times.back()} - double{times.front()};
        mean = std::min(mean, span / static_cast<double>(times.size() - 1));
    }
    return mean < 1.01 * smallest ? mean : smallest;
}

bool stand_on_frames(std::span<const Channel> channels, double rate)
{
    constexpr double frame_tolerance = 0.01; // in frames
    const auto on_frame = [&](float time) {
        const double frame = double{time} * rate;
        return std::abs(frame - std::round(frame)) <= frame_tolerance;
    };
    return std::ranges::all_of(
        channels, [&](const auto& channel) { return std::ranges::all_of(channel.times, on_frame); });
}

} // namespace

double estimate_frame_rate(std::span<const Channel> channels)
{
    constexpr double min_frame_rate = 5.0, max_frame_rate = 240.0;
    const double last = last_time(channels);
    const double frames = std::round(last / step_between_keys(channels));
    if (!(frames >= 1.0)) return default_frame_rate;
    double rate = frames / last;
    if (const double rounded = std::round(rate); std::abs(rate - rounded) < 1e-4 * rounded) rate = rounded;
    return rate >= min_frame_rate && rate <= max_frame_rate && stand_on_frames(channels, rate)
               ? rate
               : default_frame_rate;
}

std::uint32_t count_frames(const Clip& clip)
{
    const double last_frame = std::min(std::floor(clip.duration * clip.frame_rate + 0.01), max_frames);
    return static_cast<std::uint32_t>(std::max(last_frame, 0.0)) + 1;
}

bool is_closed_loop(const Clip& clip)
{
    constexpr double frame_tolerance = 1e-3; // of a frame
    return clip.frames > 1 && std::abs(clip.duration * clip.frame_rate - clip.frames) < frame_tolerance;
}

double snap_to_key(const Scene& scene, const Clip& clip, double time)
{
    if (scene_traits(scene.format).exact_key_times) return time;
    double nearest = time, distance = 1e-6;
    for (const Channel& channel : clip.channels) {
        const auto after =
            std::ranges::lower_bound(channel.times, time, {}, [](float t) { return double{t}; });
        for (auto key = after - (after != channel.times.begin() ? 1 : 0);
             key != channel.times.end() && key <= after; ++key) {
            if (std::abs(double{*key} - time) > distance) continue;
            nearest = double{*key};
            distance = std::abs(nearest - time);
        }
    }
    return nearest;
}

} // namespace vitrine::scene
