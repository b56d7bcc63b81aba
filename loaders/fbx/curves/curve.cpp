#include "loaders/fbx/curves/curve.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace vitrine::fbx {
namespace {

struct Bezier {
    double p1, p2; // inner control values; the outer ones are 0 and 1 in time
    double at(double u) const
    {
        const double v = 1.0 - u;
        return 3.0 * v * v * u * p1 + 3.0 * v * u * u * p2 + u * u * u;
    }
    double rate(double u) const
    {
        const double v = 1.0 - u;
        return 3.0 * v * v * p1 + 6.0 * v * u * (p2 - p1) + 3.0 * u * u * (1.0 - p2);
    }
};

// Solves a monotonic Bezier in time for the parameter at x, by Newton steps clamped to the bracket.
double solve(const Bezier& time, double x)
{
    double low = 0.0, high = 1.0, u = x;
    for (int step = 0; step < 60; ++step) {
        const double error = time.at(u) - x;
        if (std::abs(error) < 1e-15) break;
        (error < 0.0 ? low : high) = u;
        const double rate = time.rate(u);
        const double next = rate > 1e-12 ? u - error / rate : -1.0;
        u = next > low && next < high ? next : 0.5 * (low + high);
        if (high - low < 1e-16) break;
    }
    return u;
}

CurveSample cubic(const CurveKey& from, const CurveKey& to, double fraction, double span)
{
    // With tangents of unweighted length, which almost all have, time is linear in the parameter.
    const bool even = std::abs(double{from.right_weight} - unweighted_length) < 1e-5 &&
                      std::abs(double{from.next_left_weight} - unweighted_length) < 1e-5;
    const double x1 = even ? unweighted_length : std::clamp(double{from.right_weight}, 0.0, 1.0);
    const double x2 =
        even ? 1.0 - unweighted_length : 1.0 - std::clamp(double{from.next_left_weight}, 0.0, 1.0);
    const double y0 = from.value;
    const double y1 = y0 + from.right_slope * x1 * span;
    const double y3 = to.value;
    const double y2 = y3 - from.next_left_slope * (1.0 - x2) * span;
    const Bezier time{x1, x2};
    const double u = even ? fraction : solve(time, fraction);
    const double v = 1.0 - u;
    const double value = v * v * v * y0 + 3.0 * v * v * u * y1 + 3.0 * v * u * u * y2 + u * u * u * y3;
    const double along = 3.0 * (v * v * (y1 - y0) + 2.0 * v * u * (y2 - y1) + u * u * (y3 - y2));
    const double time_rate = even ? 1.0 : std::max(time.rate(u), 1e-6);
    return {value, along / (time_rate * span)};
}

CurveSample segment(const CurveKey& from, const CurveKey& to, double time)
{
    const double span = to.time - from.time;
    const double fraction = (time - from.time) / span;
    switch (from.interpolation) {
    case KeyInterpolation::constant: return {from.value, 0.0};
    case KeyInterpolation::constant_next: return {to.value, 0.0};
    case KeyInterpolation::linear:
        return {from.value + fraction * (to.value - from.value), (to.value - from.value) / span};
    case KeyInterpolation::cubic: break;
    }
    return cubic(from, to, fraction, span);
}

// Returns the first key after the time; for TimeSide::before also a key at that time.
std::size_t key_behind(const Curve& curve, double time, TimeSide side, std::size_t& hint)
{
    const auto is_behind = [&](const CurveKey& key) {
        return key.time > time || (side == TimeSide::before && key.time == time);
    };
    const auto& keys = curve.keys;
    std::size_t at = std::min(hint, keys.size());
    for (int step = 0; step < 4; ++step) {
        const bool here = at == keys.size() || is_behind(keys[at]);
        if (here && (at == 0 || !is_behind(keys[at - 1]))) return hint = at;
        if (here) break;
        ++at;
    }
    const auto found = std::ranges::partition_point(keys, [&](const CurveKey& k) { return !is_behind(k); });
    return hint = static_cast<std::size_t>(found - keys.begin());
}

// Samples between the first and the last key.
CurveSample sample_inside(const Curve& curve, double time, TimeSide side, std::size_t& hint)
{
    const std::size_t next_key = key_behind(curve, time, side, hint);
    if (next_key == 0) return {curve.keys.front().value, 0.0};
    if (next_key == curve.keys.size()) return {curve.keys.back().value, 0.0};
    if (side == TimeSide::at && curve.keys[next_key - 1].time == time)
        return {curve.keys[next_key - 1].value, 0.0};
    return segment(curve.keys[next_key - 1], curve.keys[next_key], time);
}

CurveSample sample_slope(const Curve& curve, double time, bool is_before, std::size_t& hint)
{
    const double end = is_before ? curve.first_time() : curve.last_time();
    const CurveSample at_end =
        sample_inside(curve, end, is_before ? TimeSide::after : TimeSide::before, hint);
    const double value = (is_before ? curve.keys.front() : curve.keys.back()).value;
    return {value + at_end.rate * (time - end), at_end.rate};
}

// Repetitions are counted from the curve's end before or after which the time is; `into` is the offset into
// the current one. Beyond the last repetition its final value is held: after an odd number of mirrored ones
// that is the value at the curve's other end.
CurveSample sample_repeated(const Curve& curve, double time, TimeSide side, bool is_before,
                            const CurveEnd& end, std::size_t& hint)
{
    const double period = curve.last_time() - curve.first_time();
    const double outside = is_before ? curve.first_time() - time : time - curve.last_time();
    const double step = (is_before ? -1.0 : 1.0) * (curve.keys.back().value - curve.keys.front().value);
    const bool is_relative = end.mode == CurveExtrapolation::relative_repetition;
    double n = std::floor(outside / period);
    double into = std::clamp(outside - n * period, 0.0, period);
    const bool inward = side == (is_before ? TimeSide::after : TimeSide::before);
    if (into == 0.0 && inward && n > 0.0) {
        n -= 1.0;
        into = period;
    }
    if (end.count >= 0 && n >= end.count) {
        const bool crosses = end.mode == CurveExtrapolation::mirror && end.count % 2 == 1;
        const double last = (is_before != crosses ? curve.keys.front() : curve.keys.back()).value;
        return {last + (is_relative ? step * end.count : 0.0), 0.0};
    }
    const bool reversed = end.mode == CurveExtrapolation::mirror && std::fmod(n, 2.0) == 0.0;
    const double from_first = reversed != is_before ? period - into : into;
    const TimeSide flipped = side == TimeSide::before  ? TimeSide::after
                             : side == TimeSide::after ? TimeSide::before
                                                       : TimeSide::at;
    CurveSample found =
        sample_inside(curve, curve.first_time() + from_first, reversed ? flipped : side, hint);
    if (reversed) found.rate = -found.rate;
    if (is_relative) found.value += step * (n + 1.0);
    return found;
}

CurveSample sample_outside(const Curve& curve, double time, TimeSide side, bool is_before, std::size_t& hint)
{
    const CurveEnd& end = is_before ? curve.before : curve.after;
    const double end_value = (is_before ? curve.keys.front() : curve.keys.back()).value;
    const bool too_short = curve.last_time() - curve.first_time() < 1.0;
    if (end.mode == CurveExtrapolation::constant || end.count == 0 || too_short) return {end_value, 0.0};
    if (end.mode == CurveExtrapolation::keep_slope) return sample_slope(curve, time, is_before, hint);
    return sample_repeated(curve, time, side, is_before, end, hint);
}

} // namespace

CurveSample sample(const Curve& curve, double time, TimeSide side, std::size_t& hint)
{
    assert(!curve.keys.empty());
    if (time < curve.first_time() || (side == TimeSide::before && time == curve.first_time()))
        return sample_outside(curve, time, side, true, hint);
    if (time > curve.last_time() || (side == TimeSide::after && time == curve.last_time()))
        return sample_outside(curve, time, side, false, hint);
    return sample_inside(curve, time, side, hint);
}

CurveSample sample(const Curve& curve, double time, TimeSide side)
{
    std::size_t hint = 0;
    return sample(curve, time, side, hint);
}

bool is_constant(const Curve& curve)
{
    const double value = curve.keys.front().value;
    for (std::size_t i = 0; i < curve.keys.size(); ++i) {
        if (curve.keys[i].value != value) return false;
        if (i + 1 < curve.keys.size() && travel(curve, i) != 0.0) return false;
    }
    return true;
}

double travel(const Curve& curve, std::size_t key)
{
    assert(key + 1 < curve.keys.size());
    const CurveKey& from = curve.keys[key];
    const CurveKey& to = curve.keys[key + 1];
    const double chord = to.value - from.value;
    if (from.interpolation != KeyInterpolation::cubic) return std::abs(chord);
    // A Bezier curve is no longer than its control polygon.
    const double span = to.time - from.time;
    const double right = from.right_slope * std::clamp(double{from.right_weight}, 0.0, 1.0) * span;
    const double left = from.next_left_slope * std::clamp(double{from.next_left_weight}, 0.0, 1.0) * span;
    return std::abs(right) + std::abs(left) + std::abs(chord - right - left);
}

} // namespace vitrine::fbx
