#include "loaders/dae/curves/curve_extrapolation.hpp"

#include <algorithm>
#include <cmath>

namespace vitrine::dae {
namespace {

constexpr double max_periods = 0x1p52;               // beyond it a double has no fractional digits
constexpr double border_tolerance = 1e-9;            // relative to a period
constexpr std::size_t max_repeated_times = 1u << 14; // for one curve in one clip

bool repeats(InfinityBehavior mode)
{
    return mode == InfinityBehavior::cycle || mode == InfinityBehavior::oscillate ||
           mode == InfinityBehavior::cycle_relative;
}

JumpSide other(JumpSide side)
{
    return side == JumpSide::after ? JumpSide::before : JumpSide::after;
}

// A time `away` from the keys, before or after them, in periods: complete ones and the remainder.
struct Periods {
    double whole = 0.0;
    double rest = 0.0; // seconds
};

// At the end of a period, the side decides whether the next period has started.
Periods periods_of(double away, double period, bool outward)
{
    const double count = away / period, nearest = std::round(count);
    if (std::abs(count - nearest) > border_tolerance)
        return {std::floor(count), away - std::floor(count) * period};
    return outward ? Periods{nearest, 0.0} : Periods{std::max(nearest - 1.0, 0.0), period};
}

MappedTime repeated(const SamplerCurve& curve, double time, JumpSide side, bool early)
{
    const double period = curve.last() - curve.first();
    const double away = early ? curve.first() - time : time - curve.last();
    const InfinityBehavior mode = early ? curve.before : curve.after;
    if (!(period > 0.0) || !(away / period < max_periods)) return {.time = time, .side = side};
    const auto [whole, rest] = periods_of(away, period, (side == JumpSide::before) == early);
    const bool mirrored = mode == InfinityBehavior::oscillate && std::fmod(whole, 2.0) == 0.0;
    const double from = std::clamp(rest, 0.0, period);
    MappedTime place{.time = early == mirrored ? curve.first() + from : curve.last() - from,
                     .side = mirrored ? other(side) : side};
    if (mode == InfinityBehavior::cycle_relative) place.offsets = early ? -whole - 1.0 : whole + 1.0;
    return place;
}

double slope(const SamplerCurve& curve, bool early, std::uint32_t dimension)
{
    if (curve.keys() < 2) return 0.0;
    const std::size_t key = early ? 0 : curve.keys() - 2;
    const double span = curve.times[key + 1] - curve.times[key];
    return span > 0.0 ? (curve.value(key + 1, dimension) - curve.value(key, dimension)) / span : 0.0;
}

// Adds the keys of all periods inside the window, on one side.
bool add_repeated(const SamplerCurve& curve, const TimeRange& window, bool early, std::vector<double>& times)
{
    const double period = curve.last() - curve.first();
    const double reach = early ? curve.first() - window.start : window.end - curve.last();
    if (!(period > 0.0)) return true;
    const std::size_t max_times = times.size() + max_repeated_times;
    const bool oscillates = (early ? curve.before : curve.after) == InfinityBehavior::oscillate;
    // Periods between the keys and the window need no keys.
    const double skipped = early ? curve.first() - window.end : window.start - curve.last();
    const double first = std::max(std::floor(skipped / period), 0.0);
    for (double n = first; n * period < reach; ++n) {
        if (n >= max_periods || times.size() >= max_times) return false;
        const bool mirrored = oscillates && std::fmod(n, 2.0) == 0.0;
        for (const double time : curve.times) {
            const double away = n * period + (early == mirrored ? time - curve.first() : curve.last() - time);
            const double at = early ? curve.first() - away : curve.last() + away;
            if (at >= window.start && at <= window.end) times.push_back(at);
        }
    }
    return true;
}

scene::ExtrapolationMode mode_of(InfinityBehavior mode)
{
    switch (mode) {
    case InfinityBehavior::cycle: return scene::ExtrapolationMode::repeat;
    case InfinityBehavior::oscillate: return scene::ExtrapolationMode::mirror;
    case InfinityBehavior::cycle_relative: return scene::ExtrapolationMode::repeat_offset;
    case InfinityBehavior::gradient: return scene::ExtrapolationMode::slope;
    case InfinityBehavior::constant: break;
    }
    return scene::ExtrapolationMode::hold;
}

// Returns whether a channel can represent the extrapolation on one side.
bool is_representable(const SamplerCurve& curve, bool early, MotionKind motion)
{
    const InfinityBehavior mode = early ? curve.before : curve.after;
    if (mode == InfinityBehavior::cycle_relative) return motion != MotionKind::any;
    if (mode != InfinityBehavior::gradient || curve.keys() < 2) return true;
    const std::size_t key = early ? 0 : curve.keys() - 2;
    return motion == MotionKind::linear && curve.kinds[key] == SamplerInterpolation::linear &&
           curve.times[key] < curve.times[key + 1];
}

} // namespace

MappedTime map_time(const SamplerCurve& curve, double time, JumpSide side, double end)
{
    const MappedTime here{.time = time, .side = side};
    if (!curve.has_extrapolation()) return here;
    const JumpSide open = time >= end ? JumpSide::before : side;
    const bool early = time < curve.first() || (time == curve.first() && open == JumpSide::before);
    const bool late = time > curve.last() || (time == curve.last() && open == JumpSide::after);
    if (!early && !late) return here;
    const InfinityBehavior mode = early ? curve.before : curve.after;
    if (repeats(mode)) return repeated(curve, time, open, early);
    MappedTime place = here;
    if (mode == InfinityBehavior::gradient) place.beyond = time - (early ? curve.first() : curve.last());
    return place;
}

double evaluate(const SamplerCurve& curve, const MappedTime& place, std::uint32_t dimension)
{
    double value = curve.evaluate(place.time, dimension, place.side);
    if (place.offsets != 0.0)
        value += place.offsets * (curve.value(curve.keys() - 1, dimension) - curve.value(0, dimension));
    if (place.beyond != 0.0) value += place.beyond * slope(curve, place.beyond < 0.0, dimension);
    return value;
}

bool add_times(const SamplerCurve& curve, const TimeRange& window, std::vector<double>& times)
{
    const std::size_t before = times.size();
    const auto first = std::ranges::lower_bound(curve.times, window.start);
    const auto end = std::ranges::upper_bound(first, curve.times.end(), window.end);
    times.insert(times.end(), first, end);
    const bool early = curve.before != InfinityBehavior::constant && window.start < curve.first();
    const bool late = curve.after != InfinityBehavior::constant && window.end > curve.last();
    bool complete = true;
    if (early && repeats(curve.before)) complete = add_repeated(curve, window, true, times);
    if (late && repeats(curve.after)) complete &= add_repeated(curve, window, false, times);
    if (early || curve.first() < window.start) times.push_back(window.start);
    if (late || curve.last() > window.end) times.push_back(window.end);
    // All keys are before or after the window: constant.
    if (times.size() == before) times.push_back(window.start);
    return complete;
}

void sort_times(std::vector<double>& times)
{
    std::ranges::sort(times);
    times.erase(std::ranges::unique(times).begin(), times.end());
}

std::optional<ChannelExtrapolation> find_extrapolation(const std::vector<const SamplerCurve*>& curves,
                                                       MotionKind motion)
{
    const SamplerCurve& one = *curves.front();
    const auto alike = [&](const SamplerCurve* c) {
        return c->first() == one.first() && c->last() == one.last() && c->before == one.before &&
               c->after == one.after && is_representable(*c, true, motion) &&
               is_representable(*c, false, motion);
    };
    if (!std::ranges::all_of(curves, alike)) return std::nullopt;
    return ChannelExtrapolation{.keys = {one.first(), one.last()},
                                .before = {.mode = mode_of(one.before)},
                                .after = {.mode = mode_of(one.after)}};
}

} // namespace vitrine::dae
