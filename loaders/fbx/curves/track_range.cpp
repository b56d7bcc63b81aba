#include "loaders/fbx/curves/track_range.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "loaders/base/sort_unique.hpp"

namespace vitrine::fbx {
namespace {

constexpr double max_pieces = 4096.0; // of one curve segment

// Limits the breakpoints of a track beyond its keys; their samples are counted against the budget.
class BreakpointBudget {
public:
    BreakpointBudget(const Track& track, BakeBudget& budget)
        : budget_(budget), left_(budget.samples_left / breakpoint_cost(track))
    {
    }

    // Returns the number of times that `breakpoints` can be repeated: `wanted`, or as many as half of the
    // remaining budget allows.
    std::uint64_t take(double wanted, std::size_t breakpoints)
    {
        const std::uint64_t affordable = left_ / 2 / breakpoints;
        if (wanted > static_cast<double>(affordable)) budget_.is_coarse = true;
        const std::uint64_t taken =
            std::min(static_cast<std::uint64_t>(std::clamp(wanted, 0.0, 1e9)), affordable);
        left_ -= taken * breakpoints;
        return taken;
    }

private:
    BakeBudget& budget_;
    std::uint64_t left_;
};

// Quaternions cannot represent whole turns: consecutive breakpoints must differ by less than half a turn.
void cut_segment(const Curve& curve, std::size_t key, double degrees, BreakpointBudget& allowance,
                 std::vector<double>& times)
{
    const double pieces = std::clamp(std::ceil(travel(curve, key) / degrees), 1.0, max_pieces);
    const std::uint64_t cuts = allowance.take(pieces - 1.0, 1);
    const double from = curve.keys[key].time;
    const double step = (curve.keys[key + 1].time - from) / static_cast<double>(cuts + 1);
    for (std::uint64_t i = 1; i <= cuts; ++i)
        times.push_back(from + static_cast<double>(i) * step);
}

// Adds the times of each repetition as far as the end is sampled; mirrored repetitions in reverse.
void repeat_times(const Curve& curve, const TrackEnd& end, bool is_before, const std::vector<double>& times,
                  BreakpointBudget& allowance, std::vector<double>& breakpoints)
{
    const CurveEnd& how = end_of(curve, is_before);
    if (!end.is_sampled || is_constant_end(curve, is_before) || !repeats(how)) return;
    const double period = period_of(curve), first = curve.first_time(), last = curve.last_time();
    const double wanted = std::ceil((is_before ? first - end.sampled_to : end.sampled_to - last) / period);
    const std::uint64_t rounds = allowance.take(wanted, times.size());
    for (std::uint64_t round = 0; round < rounds; ++round) {
        const auto n = static_cast<double>(round);
        const bool mirrored = how.mode == CurveExtrapolation::mirror && round % 2 == 0;
        const double start = is_before ? first - (n + 1.0) * period : last + n * period;
        for (const double time : times) {
            const double at = start + (mirrored ? last - time : time - first);
            if (is_before ? at >= end.sampled_to : at <= end.sampled_to) breakpoints.push_back(at);
        }
    }
}

// Adds breakpoints for a linear extrapolation, with the same angle between them as between keys.
void follow_slope(const Curve& curve, const TrackEnd& end, bool is_before, double degrees,
                  BreakpointBudget& allowance, std::vector<double>& breakpoints)
{
    const double slope = steepness(curve, is_before);
    if (!end.is_sampled || slope == 0.0) return;
    const double from = is_before ? curve.first_time() : curve.last_time(), length = end.sampled_to - from;
    const std::uint64_t cuts = allowance.take(std::ceil(std::abs(length) * slope / degrees) - 1.0, 1);
    for (std::uint64_t i = 1; i <= cuts; ++i)
        breakpoints.push_back(from + length * static_cast<double>(i) / static_cast<double>(cuts + 1));
}

// Returns a window around a time, in ticks. Key times are single-precision seconds, and keys a few ULPs apart
// are treated as a jump; both ends of the window are such times, so the motion inside is that of exactly this
// time.
std::pair<double, double> window_around(const BakeTime& time)
{
    const double seconds = (*time.pose_time - time.start) / time.ticks_per_second;
    const auto length = static_cast<float>(std::abs(seconds));
    const double unit = double{std::nextafter(length, INFINITY)} - double{length};
    const double half = std::max(10.0 * unit, 1e-3);
    const auto ticks = [&](double at) {
        return double{static_cast<float>(at)} * time.ticks_per_second + time.start;
    };
    return {ticks(seconds - half), ticks(seconds + half)};
}

// Adds the repeated keys of a curve within the window, which contains few unless they are denser than key
// times can represent.
void add_keys_within(const Curve& curve, bool is_before, double from, double to,
                     std::vector<double>& breakpoints)
{
    constexpr int max_rounds = 4;
    const CurveEnd& how = end_of(curve, is_before);
    if (is_constant_end(curve, is_before) || !repeats(how)) return;
    const double period = period_of(curve), first = curve.first_time();
    const double first_round = std::floor((from - first) / period);
    if (std::floor((to - first) / period) - first_round > max_rounds) return;
    for (int n = 0; n <= max_rounds; ++n) { // skips keys past the window
        const double round = first_round + n;
        const bool mirrored = how.mode == CurveExtrapolation::mirror && std::fmod(round, 2.0) != 0.0;
        for (const CurveKey& key : curve.keys) {
            const double into = mirrored ? curve.last_time() - key.time : key.time - first;
            const double at = first + round * period + into;
            const bool is_outside = is_before ? at < first : at > curve.last_time();
            if (is_outside && at > from && at < to) breakpoints.push_back(at);
        }
    }
}

void add_pose_time_key(std::span<const Curve* const> moving, const BakeTime& time, TrackRange& range)
{
    if (!time.pose_time || moving.empty()) return;
    const bool is_before = *time.pose_time < time.start;
    const TrackEnd& end = is_before ? range.before : range.after;
    const auto [from, to] = window_around(time);
    const bool is_beyond = is_before ? to < end.sampled_to : from > end.sampled_to;
    if (!end.is_sampled || end.is_complete || !is_beyond) return;
    range.gap = is_before ? std::pair(to, end.sampled_to) : std::pair(end.sampled_to, from);
    range.breakpoints.insert(range.breakpoints.end(), {from, to});
    for (const Curve* curve : moving)
        add_keys_within(*curve, is_before, from, to, range.breakpoints);
}

} // namespace

TrackRange find_range(const Track& track, bool is_rotation, const BakeTime& time, BakeBudget& budget)
{
    std::vector<const Curve*> moving;
    std::ranges::copy_if(track.curves, std::back_inserter(moving),
                         [](const Curve* curve) { return !is_constant(*curve); });
    const double degrees = !is_rotation ? INFINITY : track.is_plain ? 120.0 : 60.0;
    const TrackEnds ends = find_ends(moving, track.is_plain, degrees, time.ticks_per_second);
    TrackRange range{.before = ends.before, .after = ends.after, .breakpoints = track.corners(budget)};
    BreakpointBudget allowance(track, budget);
    for (const Curve* curve : moving) {
        std::vector<double> times;
        for (std::size_t i = 0; i < curve->keys.size(); ++i) {
            times.push_back(curve->keys[i].time);
            if (is_rotation && i + 1 < curve->keys.size()) cut_segment(*curve, i, degrees, allowance, times);
        }
        range.breakpoints.insert(range.breakpoints.end(), times.begin(), times.end());
        repeat_times(*curve, range.before, true, times, allowance, range.breakpoints);
        repeat_times(*curve, range.after, false, times, allowance, range.breakpoints);
        if (!is_rotation) continue;
        follow_slope(*curve, range.before, true, degrees, allowance, range.breakpoints);
        follow_slope(*curve, range.after, false, degrees, allowance, range.breakpoints);
    }
    if (range.before.is_sampled) range.breakpoints.push_back(range.before.sampled_to);
    if (range.after.is_sampled) range.breakpoints.push_back(range.after.sampled_to);
    add_pose_time_key(moving, time, range);
    // A constant track has its only key at the start of its curves.
    if (range.breakpoints.empty() && !track.curves.empty())
        range.breakpoints.push_back(track.curves[0]->first_time());
    sort_unique(range.breakpoints);
    return range;
}

} // namespace vitrine::fbx
