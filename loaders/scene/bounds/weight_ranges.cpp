#include "loaders/scene/bounds/joint_boxes.hpp"
#include "loaders/scene/motion/extrapolation.hpp"
#include "loaders/scene/motion/sampling.hpp"

namespace vitrine::scene {
namespace {

// A cubic segment is a Bezier curve with the control points v0, v0 + h m0 / 3, v1 - h m1 / 3, v1 and stays in
// their convex hull, so the range of the control points includes overshoot.
void add_cubic(const Channel& channel, std::size_t targets, std::span<WeightRange> ranges)
{
    const std::size_t stride = 3 * targets;
    for (std::size_t k = 0; k < channel.times.size(); ++k) {
        const float* key = channel.values.data() + k * stride;
        const float before = k > 0 ? (channel.times[k] - channel.times[k - 1]) / 3.0f : 0.0f;
        const float after =
            k + 1 < channel.times.size() ? (channel.times[k + 1] - channel.times[k]) / 3.0f : 0.0f;
        for (std::size_t t = 0; t < targets; ++t) {
            const float value = key[targets + t];
            ranges[t].add(value);
            ranges[t].add(value - before * key[t]);
            ranges[t].add(value + after * key[2 * targets + t]);
        }
    }
}

void add_keys(const Channel& channel, std::span<WeightRange> ranges)
{
    if (channel.interpolation == Interpolation::cubic) return add_cubic(channel, ranges.size(), ranges);
    for (std::size_t i = 0; i < channel.values.size(); ++i)
        ranges[i % ranges.size()].add(channel.values[i]);
}

// Extends the range of the keys by extrapolation up to `end`, an end of the clip, where a slope and a
// repetition with an offset have their extremes.
void add_outside(const Channel& channel, double end, std::span<const WeightRange> keys,
                 std::span<WeightRange> ranges)
{
    std::vector<float> values(ranges.size());
    sample_channel(channel, end, values);
    const double offsets = wrap_time(channel, end).offsets;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        ranges[i].add(values[i]);
        const auto moved = static_cast<float>(offsets * loop_offset(channel, i, ranges.size()));
        ranges[i].add(keys[i].low + moved);
        ranges[i].add(keys[i].high + moved);
    }
}

void add_channel(const Channel& channel, double duration, std::span<WeightRange> ranges)
{
    std::vector<WeightRange> keys(ranges.size());
    add_keys(channel, keys);
    add_outside(channel, 0.0, keys, ranges);
    add_outside(channel, duration, keys, ranges);
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        ranges[i].add(keys[i].low);
        ranges[i].add(keys[i].high);
    }
}

} // namespace

std::vector<WeightRange> weight_ranges(const Scene& scene, const Pose& rest)
{
    std::vector<WeightRange> ranges(rest.morph_weights.size());
    for (std::size_t i = 0; i < ranges.size(); ++i)
        ranges[i].add(rest.morph_weights[i]);
    for (const Clip& clip : scene.clips) {
        for (const Channel& channel : clip.channels) {
            if (channel.path != Path::weights) continue;
            const std::uint32_t first = rest.first_weight[channel.node];
            add_channel(channel, clip.duration,
                        std::span(ranges).subspan(first, rest.first_weight[channel.node + 1] - first));
        }
    }
    return ranges;
}

} // namespace vitrine::scene
