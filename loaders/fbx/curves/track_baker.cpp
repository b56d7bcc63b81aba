#include "loaders/fbx/curves/track.hpp"

#include <algorithm>
#include <cmath>

#include "loaders/fbx/curves/track_baker.hpp"

namespace vitrine::fbx {
namespace {

bool has_point(const Curve* curve)
{
    return std::ranges::any_of(
        curve->keys, [](const CurveKey& k) { return k.interpolation == KeyInterpolation::constant_next; });
}

} // namespace

void TrackBaker::sample(double ticks, TimeSide side, SampleValues& value, SampleValues& rate)
{
    value = SampleValues(count_);
    rate = SampleValues(count_);
    track_.sample(ticks, side, value, rate);
    for (double& r : rate)
        r *= time_.ticks_per_second;
    budget_.spend(sample_cost(track_));
}

SampleValues TrackBaker::value_at(double seconds)
{
    SampleValues value(count_);
    track_.sample_value(ticks_at(seconds), TimeSide::after, value);
    budget_.spend(sample_cost(track_));
    return value;
}

double TrackBaker::distance(const SampleValues& a, const SampleValues& b) const
{
    return fbx::distance(a, b, is_rotation());
}

// Key times have single precision in a Scene. The motion is sampled at the rounded time, but the value before
// a jump is sampled before the jump.
void TrackBaker::add_breakpoint(double ticks)
{
    const auto seconds = static_cast<float>((ticks - time_.start) / time_.ticks_per_second);
    const double rounded_ticks = ticks_at(double{seconds});
    const bool is_same = !breakpoints_.empty() && breakpoints_.back().seconds >= seconds;
    if (!is_same) {
        breakpoints_.push_back({.seconds = seconds});
        sample(std::min(rounded_ticks, ticks), TimeSide::before, breakpoints_.back().before,
               breakpoints_.back().before_rate);
    }
    Breakpoint& breakpoint = breakpoints_.back();
    breakpoint.ticks = ticks;
    sample(std::max(rounded_ticks, ticks), TimeSide::after, breakpoint.after, breakpoint.after_rate);
}

// Relative to the largest value, because the scene stores single precision. Rotations are unit quaternions,
// whose distance is half the angle between them.
void TrackBaker::find_tolerance()
{
    double largest = 0.0;
    for (const Breakpoint& breakpoint : breakpoints_) {
        for (const double v : breakpoint.after)
            largest = std::max(largest, std::abs(v));
    }
    if (path_ == scene::Path::rotation)
        tolerance_ = 2.5e-7;
    else if (path_ == scene::Path::weights)
        tolerance_ = 1e-6;
    else
        tolerance_ = std::max(2e-7 * largest, 1e-30);
    has_points_ = std::ranges::any_of(track_.curves, has_point);
    for (Breakpoint& breakpoint : breakpoints_)
        find_jump(breakpoint);
}

// A repeated range starts and ends with the values at its keys, regardless of the values beyond them.
void TrackBaker::find_jump(Breakpoint& breakpoint)
{
    const bool starts =
        &breakpoint == &breakpoints_.front() && range_.before.how.mode != scene::ExtrapolationMode::hold;
    const bool ends =
        &breakpoint == &breakpoints_.back() && range_.after.how.mode != scene::ExtrapolationMode::hold;
    breakpoint.jumps = !is_same(breakpoint.before, breakpoint.after);
    if (!breakpoint.jumps && !has_points_ && !starts && !ends) return;
    SampleValues no_rate;
    sample(breakpoint.ticks, TimeSide::at, breakpoint.at, no_rate);
    if (starts) breakpoint.before = breakpoint.at;
    if (ends) breakpoint.after = breakpoint.at;
    breakpoint.jumps =
        !is_same(breakpoint.before, breakpoint.after) || !is_same(breakpoint.before, breakpoint.at);
}

TrackBaker::Segment TrackBaker::probe_segment(const Breakpoint& from, const Breakpoint& to)
{
    Segment piece{.constant = distance(from.after, to.before) <= tolerance_, .linear = true};
    const double span = double{to.seconds} - double{from.seconds};
    for (std::size_t i = 0; i < probe_fractions.size(); ++i) {
        piece.probes[i] = value_at(double{from.seconds} + probe_fractions[i] * span);
        piece.constant = piece.constant && distance(from.after, piece.probes[i]) <= tolerance_;
        piece.linear =
            piece.linear && distance(lerp(from.after, to.before, probe_fractions[i], is_rotation()),
                                     piece.probes[i]) <= tolerance_;
    }
    return piece;
}

scene::Interpolation TrackBaker::choose_interpolation(bool steps, bool linear) const
{
    if (steps) return scene::Interpolation::step;
    const bool straight = range_.before.straight || range_.after.straight; // represented by tangents
    return linear && !straight ? scene::Interpolation::linear : scene::Interpolation::cubic;
}

scene::Channel TrackBaker::run()
{
    scene::Channel channel{.path = path_, .times = {}, .values = {}};
    range_ = find_range(track_, is_rotation(), time_, budget_);
    if (range_.breakpoints.empty()) range_.breakpoints.push_back(time_.start);
    // Checked before starting, because breakpoints take memory too.
    if (const std::uint64_t min_cost = breakpoint_cost(track_) * range_.breakpoints.size();
        !budget_.covers(min_cost)) {
        budget_.spend(min_cost);
        return channel;
    }
    breakpoints_.reserve(range_.breakpoints.size());
    for (const double ticks : range_.breakpoints)
        add_breakpoint(ticks);
    find_tolerance();
    bool constant = !breakpoints_[0].jumps, steps = true, linear = true;
    segments_.reserve(breakpoints_.size());
    for (std::size_t i = 0; i + 1 < breakpoints_.size(); ++i) {
        const Segment& piece = segments_.emplace_back(probe_segment(breakpoints_[i], breakpoints_[i + 1]));
        steps = steps && piece.constant;
        linear = linear && piece.linear;
        constant = constant && piece.constant && !breakpoints_[i + 1].jumps &&
                   distance(breakpoints_[0].after, breakpoints_[i + 1].after) <= tolerance_;
    }
    if (!constant) interpolation_ = choose_interpolation(steps, linear);
    keys_.emplace(interpolation_, channel);
    if (constant)
        push({breakpoints_[0].seconds, SampleValues(count_), breakpoints_[0].after, SampleValues(count_)});
    else
        write_keys();
    keys_->finish();
    if (!constant) write_extrapolation(channel);
    return channel;
}

void TrackBaker::write_extrapolation(scene::Channel& channel)
{
    channel.before = range_.before.how;
    channel.after = range_.after.how;
    for (const TrackEnd* end : {&range_.before, &range_.after}) {
        if (!end->is_sampled || end->is_complete) continue;
        const double outermost = end == &range_.before ? double{breakpoints_.front().seconds}
                                                       : double{breakpoints_.back().seconds};
        double& shortest = budget_.sampled_seconds;
        shortest = shortest > 0.0 ? std::min(shortest, std::abs(outermost)) : std::abs(outermost);
    }
}

void Track::sample_value(double time, TimeSide side, std::span<double> value) const
{
    SampleValues rate(value.size());
    sample(time, side, value, rate);
}

scene::Channel bake(const Track& track, scene::Path path, const BakeTime& time, BakeBudget& budget)
{
    return TrackBaker(track, path, time, budget).run();
}

} // namespace vitrine::fbx
