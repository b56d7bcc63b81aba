#include "loaders/gltf/keys.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

namespace vitrine::gltf {
namespace {

bool is_finite_key(const scene::Channel& channel, std::size_t key, std::size_t size)
{
    const auto values = std::span(channel.values).subspan(key * size, size);
    return std::isfinite(channel.times[key]) &&
           std::ranges::all_of(values, [](float v) { return std::isfinite(v); });
}

// Keys in the order given, some perhaps left out.
void select(scene::Channel& channel, const std::vector<std::size_t>& keys, std::size_t size)
{
    std::vector<float> times;
    std::vector<float> values;
    for (const std::size_t key : keys) {
        times.push_back(channel.times[key]);
        const auto first = channel.values.begin() + static_cast<std::ptrdiff_t>(key * size);
        values.insert(values.end(), first, first + static_cast<std::ptrdiff_t>(size));
    }
    channel.times = std::move(times);
    channel.values = std::move(values);
}

// Of a run of keys at one time the first ends what comes before and the last begins what comes after: it
// moves on by the smallest step there is.
std::vector<std::size_t> ends_of_runs(const std::vector<float>& times)
{
    std::vector<std::size_t> kept;
    for (std::size_t n = 0; n < times.size(); ++n) {
        const bool first = n == 0 || times[n] != times[n - 1];
        const bool last = n + 1 == times.size() || times[n] != times[n + 1];
        if (first || last) kept.push_back(n);
    }
    return kept;
}

void separate(std::vector<float>& times)
{
    for (std::size_t n = 1; n < times.size(); ++n)
        if (times[n] <= times[n - 1])
            times[n] = std::nextafter(times[n - 1], std::numeric_limits<float>::infinity());
}

double last_time(std::span<const scene::Channel> channels)
{
    double last = 0.0;
    for (const scene::Channel& channel : channels)
        if (!channel.times.empty()) last = std::max(last, double{channel.times.back()});
    return last;
}

// Seconds from key to key where they stand closest; infinite without two keys. Times are floats and one
// distance late in a clip has few digits left: where the densest channel is even, its mean says it better.
double step_between_keys(std::span<const scene::Channel> channels)
{
    double smallest = std::numeric_limits<double>::infinity(), mean = smallest;
    for (const scene::Channel& channel : channels) {
        const auto& times = channel.times;
        if (times.size() < 2) continue;
        for (std::size_t n = 1; n < times.size(); ++n)
            smallest = std::min(smallest, double{times[n]} - double{times[n - 1]});
        const double whole = double{times.back()} - double{times.front()};
        mean = std::min(mean, whole / static_cast<double>(times.size() - 1));
    }
    return mean < 1.01 * smallest ? mean : smallest;
}

bool stand_on_frames(std::span<const scene::Channel> channels, double rate)
{
    constexpr double tolerance = 0.01; // of a frame
    const auto on_frame = [&](float time) {
        const double frame = double{time} * rate;
        return std::abs(frame - std::round(frame)) <= tolerance;
    };
    return std::ranges::all_of(
        channels, [&](const auto& channel) { return std::ranges::all_of(channel.times, on_frame); });
}

} // namespace

KeyRepair repair_keys(scene::Channel& channel, std::size_t size)
{
    KeyRepair repair;
    std::vector<std::size_t> keys;
    for (std::size_t n = 0; n < channel.times.size(); ++n)
        if (is_finite_key(channel, n, size)) keys.push_back(n);
    repair.not_finite = keys.size() != channel.times.size();
    const auto time = [&](std::size_t key) { return std::pair(channel.times[key], key); };
    repair.unsorted = !std::ranges::is_sorted(keys, {}, time);
    if (repair.unsorted) std::ranges::sort(keys, {}, time);
    if (repair.not_finite || repair.unsorted) select(channel, keys, size);
    repair.duplicates = std::ranges::adjacent_find(channel.times) != channel.times.end();
    if (repair.duplicates) {
        select(channel, ends_of_runs(channel.times), size);
        separate(channel.times);
    }
    return repair;
}

double guess_frame_rate(std::span<const scene::Channel> channels)
{
    constexpr double usual = 30.0, least = 5.0, most = 240.0;
    const double last = last_time(channels);
    const double frames = std::round(last / step_between_keys(channels));
    if (!(frames >= 1.0)) return usual;
    double rate = frames / last;
    if (const double whole = std::round(rate); std::abs(rate - whole) < 1e-4 * whole) rate = whole;
    return rate >= least && rate <= most && stand_on_frames(channels, rate) ? rate : usual;
}

void normalise_rotations(scene::Channel& channel)
{
    for (std::size_t n = 0; n + 3 < channel.values.size(); n += 4) {
        const std::span<float, 4> q(channel.values.data() + n, 4);
        const double length =
            std::hypot(std::hypot(double{q[0]}, double{q[1]}), std::hypot(double{q[2]}, double{q[3]}));
        if (std::abs(length - 1.0) < rounding_of_quaternions) continue;
        for (float& component : q)
            component = length > 0.0 ? static_cast<float>(double{component} / length) : 0.0f;
        if (!(length > 0.0)) q[3] = 1.0f;
    }
}

} // namespace vitrine::gltf
