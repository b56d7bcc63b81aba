#include "loaders/gltf/document/key_repair.hpp"

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

// Copies the selected keys in the given order.
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

// Of several keys at one time the first ends the previous segment and the last starts the next one.
std::vector<std::size_t> ends_of_runs(std::span<const float> times)
{
    std::vector<std::size_t> used_keys;
    for (std::size_t n = 0; n < times.size(); ++n) {
        const bool first = n == 0 || times[n] != times[n - 1];
        const bool last = n + 1 == times.size() || times[n] != times[n + 1];
        if (first || last) used_keys.push_back(n);
    }
    return used_keys;
}

// Increases each time that is not later than the previous one by the smallest possible step.
void separate(std::span<float> times)
{
    for (std::size_t n = 1; n < times.size(); ++n)
        if (times[n] <= times[n - 1])
            times[n] = std::nextafter(times[n - 1], std::numeric_limits<float>::infinity());
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

std::size_t normalize_rotations(scene::Channel& channel)
{
    constexpr double byte_tolerance = 0.01;
    std::size_t deviating = 0;
    for (std::size_t n = 0; n + 3 < channel.values.size(); n += 4) {
        const std::span<float, 4> q(channel.values.data() + n, 4);
        double squared = 0.0; // of floats: neither overflows nor underflows
        for (const float component : q)
            squared += double{component} * double{component};
        const double length = std::sqrt(squared);
        if (std::abs(length - 1.0) < quaternion_length_tolerance) continue;
        deviating += std::abs(length - 1.0) > byte_tolerance ? 1 : 0;
        for (float& component : q)
            component = length > 0.0 ? static_cast<float>(double{component} / length) : 0.0f;
        if (!(length > 0.0)) q[3] = 1.0f;
    }
    return deviating;
}

} // namespace vitrine::gltf
