#include "loaders/scene/motion/clip_keys.hpp"

#include <algorithm>
#include <cmath>

#include "loaders/scene/motion/file_nodes.hpp"
#include "loaders/scene/motion/frame_rate.hpp"

namespace vitrine::scene {
namespace {

constexpr std::size_t max_compared_lists = 64;

bool is_selected(const Scene& scene, const Channel& channel, const std::vector<bool>& selected)
{
    const auto node = channel_node(scene, channel);
    return node != none && !channel.times.empty() && (selected.empty() || selected[node]);
}

// `times`: ascending numbers.
KeySpan span_in(const auto& times, double time)
{
    const auto after =
        std::ranges::upper_bound(times, time + key_tolerance, {}, [](double key) { return key; });
    const auto index = static_cast<std::size_t>(after - times.begin());
    const std::size_t from = index == 0 ? 0 : index - 1;
    KeySpan span{.from = from, .to = from, .from_time = times[from], .to_time = times[from]};
    if (index == 0 || index == times.size() || time - span.from_time <= key_tolerance) return span;
    span.to = index;
    span.to_time = times[index];
    span.blend = (time - span.from_time) / (span.to_time - span.from_time);
    return span;
}

} // namespace

std::vector<double> key_times(const Scene& scene, const Clip& clip, const std::vector<bool>& selected)
{
    std::vector<const Array<float>*> lists; // different ones
    std::vector<double> times;
    for (const Channel& channel : clip.channels) {
        if (!is_selected(scene, channel, selected)) continue;
        const auto is_same = [&](const Array<float>* list) { return *list == channel.times; };
        if (std::ranges::any_of(lists, is_same)) continue;
        if (lists.size() < max_compared_lists) lists.push_back(&channel.times);
        for (const float time : channel.times)
            if (double{time} >= -key_tolerance && double{time} <= clip.duration + key_tolerance)
                times.push_back(std::clamp(double{time}, 0.0, clip.duration));
    }
    std::ranges::sort(times);
    // The first of keys that are close together stays.
    const auto is_close = [](double a, double b) { return b - a <= key_tolerance; };
    const auto rest = std::ranges::unique(times, is_close);
    times.erase(rest.begin(), rest.end());
    return times;
}

KeySpan find_span(std::span<const double> times, double time)
{
    return span_in(times, time);
}

std::optional<double> previous_key(std::span<const double> times, double time)
{
    const auto after = std::ranges::lower_bound(times, time - key_tolerance);
    return after == times.begin() ? std::nullopt : std::optional(*(after - 1));
}

std::optional<double> next_key(std::span<const double> times, double time)
{
    const auto after = std::ranges::upper_bound(times, time + key_tolerance);
    return after == times.end() ? std::nullopt : std::optional(*after);
}

double step_keys(std::span<const double> times, double time, int steps)
{
    if (times.empty() || steps == 0) return time;
    const auto begin = times.begin();
    const auto at = steps > 0 ? std::ranges::upper_bound(times, time + key_tolerance) - begin - 1
                              : std::ranges::lower_bound(times, time - key_tolerance) - begin;
    const auto count = static_cast<std::ptrdiff_t>(times.size());
    const auto index = ((at + steps) % count + count) % count;
    return times[static_cast<std::size_t>(index)];
}

double step_frames(const Clip& clip, double time, int steps)
{
    const double rate = frame_rate_or_default(clip);
    const double count = std::floor(clip.duration * rate + 1e-4) + 1.0; // durations are sums of rounded times
    const double frame = std::fmod(std::round(time * rate) + steps, count);
    return std::clamp((frame < 0.0 ? frame + count : frame) / rate, 0.0, clip.duration);
}

std::optional<KeyPlace> place_among_keys(const Scene& scene, const Clip& clip, std::span<const double> times,
                                         double time, const std::vector<bool>& selected)
{
    if (times.empty()) return std::nullopt;
    KeyPlace place{.time = time,
                   .span = find_span(times, time),
                   .previous = previous_key(times, time),
                   .next = next_key(times, time)};
    bool found = false;
    for (const Channel& channel : clip.channels) {
        if (channel.times.size() < 2 || !is_selected(scene, channel, selected)) continue;
        if (found && place.interpolation != channel.interpolation) {
            place.interpolation.reset();
            break;
        }
        place.interpolation = channel.interpolation;
        found = true;
    }
    return place;
}

KeySpan find_span(const Channel& channel, double time)
{
    auto span = span_in(channel.times, time);
    if (channel.interpolation == Interpolation::step) span.blend = 0.0;
    return span;
}

} // namespace vitrine::scene
