#include "loaders/fbx/track_range.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace vitrine::fbx {
namespace {

constexpr double sampled_seconds = 60.0; // what is sampled of an extrapolation without end: at least this
constexpr double sampled_periods = 10.0; // and so many of the longest repetition
constexpr double most_sampled_knots = 20'000.0;
constexpr double most_pieces = 4096.0; // of one segment

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

// A step has no slope that could be kept.
bool ends_in_step(const Curve& curve, bool is_before)
{
    const KeyInterpolation how = curve.keys[is_before ? 0 : curve.keys.size() - 2].interpolation;
    return how == KeyInterpolation::constant || how == KeyInterpolation::constant_next;
}

bool holds(const Curve& curve, bool is_before)
{
    const CurveEnd& end = end_of(curve, is_before);
    if (end.mode == CurveExtrapolation::constant || end.count == 0 || period_of(curve) < 1.0) return true;
    return end.mode == CurveExtrapolation::keep_slope && ends_in_step(curve, is_before);
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

// How far beyond the keys one curve has to be followed, ticks; `complete` where that is all.
double reach(const Curve& curve, bool is_before, double ticks_per_second, bool& complete)
{
    if (holds(curve, is_before)) return 0.0;
    const CurveEnd& end = end_of(curve, is_before);
    const double generous = std::max(sampled_seconds * ticks_per_second, sampled_periods * period_of(curve));
    const double whole = repeats(end) && end.count > 0 ? end.count * period_of(curve) : INFINITY;
    complete = complete && whole <= generous;
    return std::min(whole, generous);
}

TrackEnd sampled_end(std::span<const Curve* const> moving, bool is_before, double ticks_per_second)
{
    TrackEnd found{.how = {}, .is_sampled = true};
    double furthest = 0.0, keys_per_tick = 0.0;
    for (const Curve* curve : moving) {
        const double length = reach(*curve, is_before, ticks_per_second, found.is_complete);
        const double to = is_before ? curve->first_time() - length : curve->last_time() + length;
        const bool is_first = curve == moving.front();
        furthest = is_first ? to : is_before ? std::min(furthest, to) : std::max(furthest, to);
        if (repeats(end_of(*curve, is_before)) && !holds(*curve, is_before))
            keys_per_tick += static_cast<double>(curve->keys.size()) / period_of(*curve);
    }
    double nearest = furthest;
    for (const Curve* curve : moving)
        nearest = is_before ? std::max(nearest, curve->first_time()) : std::min(nearest, curve->last_time());
    const double most = keys_per_tick > 0.0 ? most_sampled_knots / keys_per_tick : INFINITY;
    if (std::abs(furthest - nearest) > most) {
        found.is_complete = false;
        furthest = is_before ? nearest - most : nearest + most;
    }
    found.sampled_to = furthest;
    return found;
}

// Whether the channel itself can say what its curves do: all that move do the same, or go on straight.
TrackEnd find_end(std::span<const Curve* const> moving, bool is_plain, bool is_rotation, bool is_before,
                  double ticks_per_second)
{
    const Curve* leader = nullptr;
    bool all_hold = true, all_same = true, straight = true, all_straight = true;
    for (const Curve* curve : moving) {
        const CurveEnd& end = end_of(*curve, is_before);
        const bool hold = holds(*curve, is_before);
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
    // A cycle with an offset that ends where it starts is a cycle.
    const bool drifts = end.mode == CurveExtrapolation::relative_repetition &&
                        std::ranges::any_of(moving, [](const Curve* curve) {
                            return curve->keys.front().value != curve->keys.back().value;
                        });
    const bool needs_plain = drifts || end.mode == CurveExtrapolation::keep_slope;
    if (straight && is_plain) {
        // A rotation about one axis has one curve that moves: nothing to tell apart.
        return {.how = {.mode = scene::ExtrapolationMode::slope}, .straight = !is_rotation && !all_straight};
    }
    // A curve whose mirrors are an odd number goes back to the end that it left, a channel does not.
    const bool leaps = end.mode == CurveExtrapolation::mirror && end.count % 2 == 1;
    if (all_same && !leaps && (is_plain || !needs_plain)) return {.how = {to_scene(end.mode), count}};
    return sampled_end(moving, is_before, ticks_per_second);
}

// All keys repeat, those too that an end which is sampled has beyond the curves' own.
bool repeats_keys(const TrackEnd& end)
{
    return !end.is_sampled && end.how.mode != scene::ExtrapolationMode::hold &&
           end.how.mode != scene::ExtrapolationMode::slope;
}

TrackEnd find_end_beside(const TrackEnd& other, const TrackEnd& end, std::span<const Curve* const> moving,
                         bool is_before, double ticks_per_second)
{
    return other.is_sampled && repeats_keys(end) ? sampled_end(moving, is_before, ticks_per_second) : end;
}

// How many knots a track may have beyond its keys: what will be sampled for them is in the budget.
class KnotAllowance {
public:
    KnotAllowance(const Track& track, BakeBudget& budget)
        : budget_(budget), left_(budget.samples_left / knot_cost(track))
    {
    }

    // So many times `knots` as are wanted, or as half of what is left allows.
    std::uint64_t take(double wanted, std::size_t knots)
    {
        const std::uint64_t affordable = left_ / 2 / knots;
        if (wanted > static_cast<double>(affordable)) budget_.is_coarse = true;
        const std::uint64_t taken =
            std::min(static_cast<std::uint64_t>(std::clamp(wanted, 0.0, 1e9)), affordable);
        left_ -= taken * knots;
        return taken;
    }

private:
    BakeBudget& budget_;
    std::uint64_t left_;
};

// A quaternion does not tell a whole turn from none: between two knots less than half a turn must lie.
void cut_segment(const Curve& curve, std::size_t key, double degrees, KnotAllowance& allowance,
                 std::vector<double>& times)
{
    const double pieces = std::clamp(std::ceil(travel(curve, key) / degrees), 1.0, most_pieces);
    const std::uint64_t cuts = allowance.take(pieces - 1.0, 1);
    const double from = curve.keys[key].time;
    const double step = (curve.keys[key + 1].time - from) / static_cast<double>(cuts + 1);
    for (std::uint64_t i = 1; i <= cuts; ++i)
        times.push_back(from + static_cast<double>(i) * step);
}

// The same times again in each repetition as far as the end is sampled; mirrored ones from the other end.
void repeat_times(const Curve& curve, const TrackEnd& end, bool is_before, const std::vector<double>& times,
                  KnotAllowance& allowance, std::vector<double>& knots)
{
    const CurveEnd& how = end_of(curve, is_before);
    if (!end.is_sampled || holds(curve, is_before) || !repeats(how)) return;
    const double period = period_of(curve), first = curve.first_time(), last = curve.last_time();
    const double wanted = std::ceil((is_before ? first - end.sampled_to : end.sampled_to - last) / period);
    const std::uint64_t rounds = allowance.take(wanted, times.size());
    for (std::uint64_t round = 0; round < rounds; ++round) {
        const auto n = static_cast<double>(round);
        const bool mirrored = how.mode == CurveExtrapolation::mirror && round % 2 == 0;
        const double start = is_before ? first - (n + 1.0) * period : last + n * period;
        for (const double time : times) {
            const double at = start + (mirrored ? last - time : time - first);
            if (is_before ? at >= end.sampled_to : at <= end.sampled_to) knots.push_back(at);
        }
    }
}

// Around a moment, ticks. Key times are single-precision seconds, and those a few of their units apart are
// taken for a jump; both ends are such times, so that the motion there is that of the very time.
std::pair<double, double> window_around(const BakeTime& time)
{
    const double seconds = (*time.moment - time.start) / time.ticks_per_second;
    const auto length = static_cast<float>(std::abs(seconds));
    const double unit = double{std::nextafter(length, INFINITY)} - double{length};
    const double half = std::max(10.0 * unit, 1e-3);
    const auto ticks = [&](double at) {
        return double{static_cast<float>(at)} * time.ticks_per_second + time.start;
    };
    return {ticks(seconds - half), ticks(seconds + half)};
}

// A curve's keys come again within the window, which holds few of them unless they lie denser than times can
// tell.
void add_keys_within(const Curve& curve, bool is_before, double from, double to, std::vector<double>& knots)
{
    constexpr int most_rounds = 4;
    const CurveEnd& how = end_of(curve, is_before);
    if (holds(curve, is_before) || !repeats(how)) return;
    const double period = period_of(curve), first = curve.first_time();
    const double least = std::floor((from - first) / period);
    if (std::floor((to - first) / period) - least > most_rounds) return;
    for (int n = 0; n <= most_rounds; ++n) { // keys behind the window are passed over
        const double round = least + n;
        const bool mirrored = how.mode == CurveExtrapolation::mirror && std::fmod(round, 2.0) != 0.0;
        for (const CurveKey& key : curve.keys) {
            const double into = mirrored ? curve.last_time() - key.time : key.time - first;
            const double at = first + round * period + into;
            const bool is_outside = is_before ? at < first : at > curve.last_time();
            if (is_outside && at > from && at < to) knots.push_back(at);
        }
    }
}

void add_moment(std::span<const Curve* const> moving, const BakeTime& time, TrackRange& range)
{
    if (!time.moment || moving.empty()) return;
    const bool is_before = *time.moment < time.start;
    const TrackEnd& end = is_before ? range.before : range.after;
    const auto [from, to] = window_around(time);
    const bool is_beyond = is_before ? to < end.sampled_to : from > end.sampled_to;
    if (!end.is_sampled || end.is_complete || !is_beyond) return;
    range.gap = is_before ? std::pair(to, end.sampled_to) : std::pair(end.sampled_to, from);
    range.knots.insert(range.knots.end(), {from, to});
    for (const Curve* curve : moving)
        add_keys_within(*curve, is_before, from, to, range.knots);
}

} // namespace

TrackRange find_range(const Track& track, bool is_rotation, const BakeTime& time, BakeBudget& budget)
{
    const double ticks_per_second = time.ticks_per_second;
    std::vector<const Curve*> moving;
    std::ranges::copy_if(track.curves, std::back_inserter(moving),
                         [](const Curve* curve) { return !is_constant(*curve); });
    TrackRange range{.before = find_end(moving, track.is_plain, is_rotation, true, ticks_per_second),
                     .after = find_end(moving, track.is_plain, is_rotation, false, ticks_per_second),
                     .knots = track.corners(budget)};
    range.before = find_end_beside(range.after, range.before, moving, true, ticks_per_second);
    range.after = find_end_beside(range.before, range.after, moving, false, ticks_per_second);
    KnotAllowance allowance(track, budget);
    const double degrees = track.is_plain ? 120.0 : 60.0;
    for (const Curve* curve : moving) {
        std::vector<double> times;
        for (std::size_t i = 0; i < curve->keys.size(); ++i) {
            times.push_back(curve->keys[i].time);
            if (is_rotation && i + 1 < curve->keys.size()) cut_segment(*curve, i, degrees, allowance, times);
        }
        range.knots.insert(range.knots.end(), times.begin(), times.end());
        repeat_times(*curve, range.before, true, times, allowance, range.knots);
        repeat_times(*curve, range.after, false, times, allowance, range.knots);
    }
    if (range.before.is_sampled) range.knots.push_back(range.before.sampled_to);
    if (range.after.is_sampled) range.knots.push_back(range.after.sampled_to);
    add_moment(moving, time, range);
    // What stands still has its one key where its curves start.
    if (range.knots.empty() && !track.curves.empty()) range.knots.push_back(track.curves[0]->first_time());
    std::ranges::sort(range.knots);
    range.knots.erase(std::ranges::unique(range.knots).begin(), range.knots.end());
    return range;
}

} // namespace vitrine::fbx
