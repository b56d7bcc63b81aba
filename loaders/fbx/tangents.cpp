#include "loaders/fbx/tangents.hpp"

#include <algorithm>
#include <cmath>

namespace vitrine::fbx {
namespace {

double left_secant(const KeyNeighbours& key)
{
    return key.has_previous() ? (key.value - key.previous_value) / (key.time - key.previous_time) : 0.0;
}

double right_secant(const KeyNeighbours& key)
{
    return key.has_next() ? (key.next_value - key.value) / (key.next_time - key.time) : 0.0;
}

// Of a bias beyond 500 percent the rest counts squared, whatever the neighbours' values.
double excess(double bias)
{
    const double beyond = std::abs(bias) / 100.0 - 5.0;
    return beyond > 0.0 ? beyond * beyond * 40.0 : 0.0;
}

double end_slope(const KeyNeighbours& key, double bias, std::uint32_t flags)
{
    if ((flags & key_flag::clamp_progressive) != 0) return 0.0;
    const double slope = key.has_previous() ? left_secant(key) : right_secant(key);
    if ((flags & key_flag::clamp) != 0 && slope == 0.0) return 0.0;
    if ((flags & key_flag::time_independent) != 0) return slope;
    return slope + (bias > 0.0 ? excess(bias) : -excess(bias));
}

// The mean of the neighbours' secant and the two segments', moved by the bias to one of these.
double biased_slope(const KeyNeighbours& key, double bias)
{
    const double across = (key.next_value - key.previous_value) / (key.next_time - key.previous_time);
    const double left = left_secant(key);
    const double right = right_secant(key);
    const double share = (key.time - key.previous_time) / (key.next_time - key.previous_time);
    const double slope = 0.5 * across + 0.5 * (left * (1.0 - share) + right * share);
    const double weight = std::abs(bias) / 100.0;
    if (weight <= 1e-4) return slope;
    const double target = bias > 0.0 ? right : left;
    const double direction = std::abs(target - slope) > 1e-5 ? target - slope : bias;
    return slope + (target - slope) * weight + (direction > 0.0 ? excess(bias) : -excess(bias));
}

// No further than the tangents' ends may go without passing the neighbours' values.
double without_overshoot(const KeyNeighbours& key, double slope)
{
    const double sign = slope >= 0.0 ? 1.0 : -1.0;
    const double left_range = key.left_weight * (key.time - key.previous_time);
    const double right_range = key.right_weight * (key.next_time - key.time);
    const double left = left_range > 0.0 ? sign * (key.value - key.previous_value) / left_range : 0.0;
    const double right = right_range > 0.0 ? sign * (key.next_value - key.value) / right_range : 0.0;
    return sign * std::min({std::abs(slope), std::max(left, 0.0), std::max(right, 0.0)});
}

} // namespace

double auto_slope(const KeyNeighbours& key, double bias, std::uint32_t flags)
{
    if (!key.has_previous() && !key.has_next()) return 0.0;
    if (!key.has_previous() || !key.has_next()) return end_slope(key, bias, flags);
    if ((flags & key_flag::clamp) != 0 && (key.previous_value == key.value || key.next_value == key.value))
        return 0.0;
    const double slope = (flags & key_flag::time_independent) != 0
                             ? (key.next_value - key.previous_value) / (key.next_time - key.previous_time)
                             : biased_slope(key, bias);
    return (flags & key_flag::clamp_progressive) != 0 ? without_overshoot(key, slope) : slope;
}

Slopes tcb_slopes(const KeyNeighbours& key, double tension, double continuity, double bias)
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
