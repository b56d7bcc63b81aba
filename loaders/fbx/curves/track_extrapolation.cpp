#include "loaders/fbx/curves/track_range.hpp"

#include <algorithm>
#include <cmath>

namespace vitrine::fbx {
namespace {

constexpr double sampled_seconds = 60.0; // minimum sampled duration of an unlimited extrapolation
constexpr double sampled_periods = 10.0; // and minimum number of periods of the longest repetition
constexpr double max_sampled_breakpoints = 20'000.0;

// A step has no slope to continue.
bool ends_in_step(const Curve& curve, bool is_before)
{
    const KeyInterpolation how = curve.keys[is_before ? 0 : curve.keys.size() - 2].interpolation;
    return how == KeyInterpolation::constant || how == KeyInterpolation::constant_next;
}

scene::ExtrapolationMode to_scene(CurveExtrapolation mode)
{
    switch (mode) {
    case CurveExtrapolation::repetition: return scene::ExtrapolationMode::repeat;
    case CurveExtrapolation::mirror: return scene::ExtrapolationMode::mirror;
    case CurveExtrapolation::keep_slope: return scene::ExtrapolationMode::slope;
    case CurveExtrapolation::relative_repetition: return scene::ExtrapolationMode::repeat_offset;
    case CurveExtrapolation::constant: break;
    }
    return scene::ExtrapolationMode::hold;
}

class EndFinder {
public:
    EndFinder(std::span<const Curve* const> moving, bool is_plain, double step, double ticks_per_second)
        : moving_(moving), is_plain_(is_plain), step_(step), ticks_per_second_(ticks_per_second)
    {
    }

    TrackEnd find(bool is_before) const;
    TrackEnd sampled(bool is_before) const;

private:
    bool is_rotation() const { return std::isfinite(step_); }
    double reach(const Curve& curve, bool is_before, bool& complete) const;

    std::span<const Curve* const> moving_;
    bool is_plain_;
    double step_;
    double ticks_per_second_;
};

// Returns how far beyond the keys one curve must be sampled, in ticks; sets `complete` when that covers all
// of its motion.
double EndFinder::reach(const Curve& curve, bool is_before, bool& complete) const
{
    if (is_constant_end(curve, is_before)) return 0.0;
    const CurveEnd& end = end_of(curve, is_before);
    const double sampled_span =
        std::max(sampled_seconds * ticks_per_second_, sampled_periods * period_of(curve));
    const double repeated_span = repeats(end) && end.count > 0 ? end.count * period_of(curve) : INFINITY;
    complete = complete && repeated_span <= sampled_span;
    return std::min(repeated_span, sampled_span);
}

TrackEnd EndFinder::sampled(bool is_before) const
{
    TrackEnd found{.how = {}, .is_sampled = true};
    double furthest = 0.0, breakpoints_per_tick = 0.0;
    for (const Curve* curve : moving_) {
        const double length = reach(*curve, is_before, found.is_complete);
        const double to = is_before ? curve->first_time() - length : curve->last_time() + length;
        const bool is_first = curve == moving_.front();
        furthest = is_first ? to : is_before ? std::min(furthest, to) : std::max(furthest, to);
        if (repeats(end_of(*curve, is_before)) && !is_constant_end(*curve, is_before))
            breakpoints_per_tick += static_cast<double>(curve->keys.size()) / period_of(*curve);
        breakpoints_per_tick += steepness(*curve, is_before) / step_;
    }
    double nearest = furthest;
    for (const Curve* curve : moving_)
        nearest = is_before ? std::max(nearest, curve->first_time()) : std::min(nearest, curve->last_time());
    const double max_distance =
        breakpoints_per_tick > 0.0 ? max_sampled_breakpoints / breakpoints_per_tick : INFINITY;
    if (std::abs(furthest - nearest) > max_distance) {
        found.is_complete = false;
        furthest = is_before ? nearest - max_distance : nearest + max_distance;
    }
    found.sampled_to = furthest;
    return found;
}

// Returns whether the channel itself can represent the extrapolation: all animated curves have the same, or
// are linear.
TrackEnd EndFinder::find(bool is_before) const
{
    const Curve* leader = nullptr;
    bool all_hold = true, all_same = true, straight = true, all_straight = true;
    for (const Curve* curve : moving_) {
        const CurveEnd& end = end_of(*curve, is_before);
        const bool hold = is_constant_end(*curve, is_before);
        if (!leader) leader = curve;
        const CurveEnd& first = end_of(*leader, is_before);
        all_hold = all_hold && hold;
        straight = straight && (hold || end.mode == CurveExtrapolation::keep_slope);
        all_straight = all_straight && !hold && end.mode == CurveExtrapolation::keep_slope;
        all_same = all_same && !hold && end.mode == first.mode &&
                   (end.count == first.count || (end.count < 0 && first.count < 0)) &&
                   curve->first_time() == leader->first_time() && curve->last_time() == leader->last_time();
    }
    if (all_hold) return {.how = {}};
    const CurveEnd& end = end_of(*leader, is_before);
    const std::uint32_t count = end.count < 0 ? scene::none : static_cast<std::uint32_t>(end.count);
    // A cycle with an offset whose end equals its start is a plain cycle.
    const bool drifts = end.mode == CurveExtrapolation::relative_repetition &&
                        std::ranges::any_of(moving_, [](const Curve* curve) {
                            return curve->keys.front().value != curve->keys.back().value;
                        });
    const bool needs_plain = drifts || end.mode == CurveExtrapolation::keep_slope;
    if (straight && is_plain_) {
        // A rotation about one axis has one animated curve, so there is nothing to combine.
        return {.how = {.mode = scene::ExtrapolationMode::slope},
                .straight = !is_rotation() && !all_straight};
    }
    if (all_same && (is_plain_ || !needs_plain)) return {.how = {to_scene(end.mode), count}};
    return sampled(is_before);
}

// All keys are repeated, including those of a sampled end beyond the curves' own keys.
bool repeats_keys(const TrackEnd& end)
{
    return !end.is_sampled && end.how.mode != scene::ExtrapolationMode::hold &&
           end.how.mode != scene::ExtrapolationMode::slope;
}

} // namespace

double period_of(const Curve& curve)
{
    return curve.last_time() - curve.first_time();
}

bool repeats(const CurveEnd& end)
{
    return end.mode != CurveExtrapolation::constant && end.mode != CurveExtrapolation::keep_slope;
}

const CurveEnd& end_of(const Curve& curve, bool is_before)
{
    return is_before ? curve.before : curve.after;
}

bool is_constant_end(const Curve& curve, bool is_before)
{
    const CurveEnd& end = end_of(curve, is_before);
    if (end.mode == CurveExtrapolation::constant || end.count == 0 || period_of(curve) < 1.0) return true;
    return end.mode == CurveExtrapolation::keep_slope && ends_in_step(curve, is_before);
}

double steepness(const Curve& curve, bool is_before)
{
    if (is_constant_end(curve, is_before) || end_of(curve, is_before).mode != CurveExtrapolation::keep_slope)
        return 0.0;
    const double outside = is_before ? curve.first_time() - 1.0 : curve.last_time() + 1.0;
    return std::abs(sample(curve, outside, TimeSide::after).rate);
}

TrackEnds find_ends(std::span<const Curve* const> moving, bool is_plain, double step, double ticks_per_second)
{
    const EndFinder finder(moving, is_plain, step, ticks_per_second);
    TrackEnds ends{finder.find(true), finder.find(false)};
    if (ends.after.is_sampled && repeats_keys(ends.before)) ends.before = finder.sampled(true);
    if (ends.before.is_sampled && repeats_keys(ends.after)) ends.after = finder.sampled(false);
    return ends;
}

} // namespace vitrine::fbx
