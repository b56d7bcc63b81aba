#include "loaders/fbx/curves/tangents.hpp"

#include <algorithm>
#include <cmath>

namespace vitrine::fbx {
namespace {

double left_secant(const KeyNeighbors& key)
{
    return key.has_previous() ? (key.value - key.previous_value) / (key.time - key.previous_time) : 0.0;
}

double right_secant(const KeyNeighbors& key)
{
    return key.has_next() ? (key.next_value - key.value) / (key.next_time - key.time) : 0.0;
}

// The part of a bias beyond 500 percent is squared, independent of the neighbors' values.
double excess(double bias)
{
    const double beyond = std::abs(bias) / 100.0 - 5.0;
    return beyond > 0.0 ? beyond * beyond * 40.0 : 0.0;
}

// Clamping to the neighbors' values requires both bits, as programs write them.
bool clamps_progressively(std::uint32_t flags)
{
    constexpr std::uint32_t clamp_flags = key_flag::clamp_progressive | key_flag::time_independent;
    return (flags & clamp_flags) == clamp_flags;
}

double end_slope(const KeyNeighbors& key, double bias, std::uint32_t flags)
{
    if (clamps_progressively(flags)) return 0.0;
    const double slope = key.has_previous() ? left_secant(key) : right_secant(key);
    if ((flags & key_flag::clamp) != 0 && slope == 0.0) return 0.0;
    if ((flags & key_flag::time_independent) != 0) return slope;
    return slope + (bias > 0.0 ? excess(bias) : -excess(bias));
}

// Returns the secant of the neighbors; unless time-independent, its mean with the time-weighted slopes of the
// two segments.
double unbiased_slope(const KeyNeighbors& key, std::uint32_t flags)
{
    const double across = (key.next_value - key.previous_value) / (key.next_time - key.previous_time);
    if ((flags & key_flag::time_independent) != 0) return across;
    const double fraction = (key.time - key.previous_time) / (key.next_time - key.previous_time);
    return 0.5 * across + 0.5 * (left_secant(key) * (1.0 - fraction) + right_secant(key) * fraction);
}

// Interpolates towards the slope of one of the segments.
double biased_slope(const KeyNeighbors& key, double slope, double bias)
{
    const double weight = std::abs(bias) / 100.0;
    if (weight <= 1e-4) return slope;
    const double target = bias > 0.0 ? right_secant(key) : left_secant(key);
    const double direction = std::abs(target - slope) > 1e-5 ? target - slope : bias;
    return slope + (target - slope) * weight + (direction > 0.0 ? excess(bias) : -excess(bias));
}

// Limits the slope so that the tangents' ends do not pass the neighbors' values.
double without_overshoot(const KeyNeighbors& key, double slope)
{
    const double sign = slope >= 0.0 ? 1.0 : -1.0;
    const double left_range = key.left_weight * (key.time - key.previous_time);
    const double right_range = key.right_weight * (key.next_time - key.time);
    const double left = left_range > 0.0 ? sign * (key.value - key.previous_value) / left_range : 0.0;
    const double right = right_range > 0.0 ? sign * (key.next_value - key.value) / right_range : 0.0;
    return sign * std::min({std::abs(slope), std::max(left, 0.0), std::max(right, 0.0)});
}

} // namespace

double auto_slope(const KeyNeighbors& key, double bias, std::uint32_t flags)
{
    if (!key.has_previous() && !key.has_next()) return 0.0;
    // A bias makes the slope depend on time again, except under progressive clamping.
    if (std::abs(bias) > 1e-2 && !clamps_progressively(flags)) flags &= ~key_flag::time_independent;
    if (!key.has_previous() || !key.has_next()) return end_slope(key, bias, flags);
    if ((flags & key_flag::clamp) != 0 && (key.previous_value == key.value || key.next_value == key.value))
        return 0.0;
    const double slope = unbiased_slope(key, flags);
    return clamps_progressively(flags) ? without_overshoot(key, slope) : biased_slope(key, slope, bias);
}

Slopes tcb_slopes(const KeyNeighbors& key, double tension, double continuity, double bias)
{
    const double left = left_secant(key);
    const double right = right_secant(key);
    const double half = (key.has_previous() && key.has_next() ? 0.5 : 1.0) * (1.0 - tension);
    return {.left =
                half * ((1.0 + bias) * (1.0 - continuity) * left + (1.0 - bias) * (1.0 + continuity) * right),
            .right = half *
                     ((1.0 + bias) * (1.0 + continuity) * left + (1.0 - bias) * (1.0 - continuity) * right)};
}

} // namespace vitrine::fbx
