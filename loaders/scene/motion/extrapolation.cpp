#include "loaders/scene/motion/extrapolation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "loaders/scene/motion/sampling.hpp"

namespace vitrine::scene {
namespace {

// Offset of the value in a key's group of floats.
std::size_t value_at(const Channel& channel, std::size_t key, std::size_t components)
{
    if (channel.interpolation != Interpolation::cubic) return key * components;
    return (3 * key + 1) * components;
}

float to_float(double v)
{
    constexpr double max_float = std::numeric_limits<float>::max();
    return static_cast<float>(std::clamp(v, -max_float, max_float));
}

glm::dquat as_quat(std::span<const float> v)
{
    return {double{v[3]}, double{v[0]}, double{v[1]}, double{v[2]}};
}

void store(const glm::dquat& q, std::span<float> out)
{
    const glm::dquat unit = glm::normalize(q);
    out[0] = static_cast<float>(unit.x);
    out[1] = static_cast<float>(unit.y);
    out[2] = static_cast<float>(unit.z);
    out[3] = static_cast<float>(unit.w);
}

glm::dquat about(const glm::dvec3& axis, double angle)
{
    const double length = glm::length(axis);
    if (!(length > 0.0)) return {1.0, 0.0, 0.0, 0.0};
    return {std::cos(0.5 * angle), axis * (std::sin(0.5 * angle) / length)};
}

// The rotation `turn`, by its shorter arc, applied `times` times.
glm::dquat repeated(glm::dquat turn, double times)
{
    if (turn.w < 0.0) turn = -turn;
    const glm::dvec3 axis(turn.x, turn.y, turn.z);
    return about(axis, 2.0 * std::atan2(glm::length(axis), turn.w) * times);
}

glm::dquat rotation_at(const Channel& channel, std::size_t key)
{
    return glm::normalize(as_quat(std::span(channel.values).subspan(value_at(channel, key, 4), 4)));
}

void move_on(const Channel& channel, double offsets, std::span<float> out)
{
    if (channel.path == Path::rotation) {
        const glm::dquat turn =
            rotation_at(channel, channel.times.size() - 1) * glm::conjugate(rotation_at(channel, 0));
        return store(repeated(turn, offsets) * as_quat(out), out);
    }
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = to_float(double{out[i]} + offsets * loop_offset(channel, i, out.size()));
}

// The end of the keys at which a slope starts.
struct EndKey {
    std::size_t key = 0;
    std::size_t neighbor = 0; // next key inward
    std::size_t tangent = 0;  // index in `values` of the tangent of a cubic key on the side of the keys
    double away = 0.0;        // seconds from the key, negative before the first
};

EndKey end_at(const Channel& channel, double time, std::size_t components)
{
    const std::size_t last = channel.times.size() - 1;
    if (time > double{channel.times[last]})
        return {last, last > 0 ? last - 1 : 0, 3 * last * components, time - double{channel.times[last]}};
    return {0, std::min<std::size_t>(1, last), 2 * components, time - double{channel.times[0]}};
}

// Seconds between the neighbor and the end key; 0 if there is no neighbor.
double segment_duration(const Channel& channel, const EndKey& end)
{
    return double{channel.times[end.key]} - double{channel.times[end.neighbor]};
}

glm::dquat sloped_rotation(const Channel& channel, const EndKey& end)
{
    const glm::dquat from = rotation_at(channel, end.key);
    if (channel.interpolation == Interpolation::linear) {
        const double span = segment_duration(channel, end);
        if (span == 0.0) return from;
        const glm::dquat turn = from * glm::conjugate(rotation_at(channel, end.neighbor));
        return repeated(turn, end.away / span) * from;
    }
    // Angular velocity 2 q' q*, in the parent's space.
    const glm::dquat tangent = as_quat(std::span(channel.values).subspan(end.tangent, 4));
    const glm::dquat velocity = tangent * glm::conjugate(from) * 2.0;
    const glm::dvec3 axis(velocity.x, velocity.y, velocity.z);
    return about(axis, glm::length(axis) * end.away) * from;
}

void sample_slope(const Channel& channel, double time, std::span<float> out)
{
    const EndKey end = end_at(channel, time, out.size());
    if (channel.path == Path::rotation) return store(sloped_rotation(channel, end), out);
    const double span = segment_duration(channel, end);
    const std::size_t from = value_at(channel, end.key, out.size());
    const std::size_t neighbor = value_at(channel, end.neighbor, out.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const double value = double{channel.values[from + i]};
        const double slope = channel.interpolation == Interpolation::cubic
                                 ? double{channel.values[end.tangent + i]}
                             : span == 0.0 ? 0.0
                                           : (value - double{channel.values[neighbor + i]}) / span;
        out[i] = to_float(value + slope * end.away);
    }
}

// Repetitions end in jumps, as steps do. Requested times (frame / rate) may differ from the single-precision
// key times by a few ulps, and from later repetitions by a multiple of it.
double slack_at(const Channel& channel, double time)
{
    return std::max({std::abs(double{channel.times.front()}), std::abs(double{channel.times.back()}),
                     std::abs(time), 1e-3}) *
           0x1p-22;
}

} // namespace

bool repeats(const Extrapolation& extrapolation)
{
    return extrapolation.mode != ExtrapolationMode::hold && extrapolation.mode != ExtrapolationMode::slope &&
           extrapolation.repeats > 0;
}

WrappedTime wrap_time(const Channel& channel, double time)
{
    const double first = channel.times.front(), last = channel.times.back();
    const double slack = slack_at(channel, time);
    const bool is_before = time < first - slack;
    const Extrapolation& extrapolation = is_before ? channel.before : channel.after;
    if (!(is_before || time > last + slack) || !repeats(extrapolation) || !(last > first)) return {time, 0.0};
    const double period = last - first;
    const double away = is_before ? first - time : time - last;
    double periods = std::floor((away + slack) / period);
    if (!(periods < 0x1p52)) return {time, 0.0}; // beyond the digits of a double
    double rest = std::clamp(away - periods * period, 0.0, period);
    if (extrapolation.repeats != none && periods >= static_cast<double>(extrapolation.repeats)) {
        periods = static_cast<double>(extrapolation.repeats) - 1.0;
        rest = period;
    }
    const bool is_reversed =
        extrapolation.mode == ExtrapolationMode::mirror && std::fmod(periods, 2.0) == 0.0;
    const double at = is_before == is_reversed ? first + rest : last - rest;
    if (extrapolation.mode != ExtrapolationMode::repeat_offset) return {at, 0.0};
    return {at, is_before ? -(periods + 1.0) : periods + 1.0};
}

double loop_offset(const Channel& channel, std::size_t component, std::size_t components)
{
    const std::size_t last = value_at(channel, channel.times.size() - 1, components) + component;
    const std::size_t first = value_at(channel, 0, components) + component;
    return double{channel.values[last]} - double{channel.values[first]};
}

void sample_channel(const Channel& channel, double time, std::span<float> out, ExtrapolationPolicy policy)
{
    const bool is_before = time < double{channel.times.front()};
    const bool is_after = time > double{channel.times.back()};
    if (policy == ExtrapolationPolicy::clamped || !(is_before || is_after))
        return sample_clamped(channel, time, out);
    const ExtrapolationMode mode = (is_before ? channel.before : channel.after).mode;
    if (mode == ExtrapolationMode::slope && channel.interpolation != Interpolation::step)
        return sample_slope(channel, time, out);
    const WrappedTime wrapped = wrap_time(channel, time);
    sample_clamped(channel, wrapped.time, out);
    if (wrapped.offsets != 0.0) move_on(channel, wrapped.offsets, out);
}

} // namespace vitrine::scene
