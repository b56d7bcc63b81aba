// Places the keys of a channel at and between breakpoints.

#include <algorithm>
#include <cmath>
#include <utility>

#include "loaders/fbx/curves/track_baker.hpp"

namespace vitrine::fbx {
namespace {

// Limit on the bisections of a segment between two breakpoints. Segments between breakpoints at a kilohertz
// are bisected to half a millisecond only, which is not visible; fast rotations would need dozens of segments
// each.
constexpr int max_bisections = 10;
constexpr double dense_interval_s = 2e-3, min_interval_s = 0.6e-3;
// Distance between the keys of a jump, relative to its time: half of the distance that
// scene::sample_channel() treats as a jump. For steps, relative to the largest absolute time: twice the
// tolerance that it applies.
constexpr double jump_time_fraction = 0x1p-21;

int bisections_for(double span)
{
    if (span > dense_interval_s) return max_bisections;
    return span > min_interval_s ? static_cast<int>(std::ceil(std::log2(span / min_interval_s))) : 0;
}

} // namespace

// Returns the keys of a jump, at most half the distance to the next breakpoint away.
std::vector<BakedKey> TrackBaker::keys_of_jump(const Breakpoint& breakpoint) const
{
    double outermost = std::abs(double{breakpoint.seconds});
    if (interpolation_ == scene::Interpolation::step)
        outermost = std::max(std::abs(double{breakpoints_.front().seconds}),
                             std::abs(double{breakpoints_.back().seconds}));
    double gap = std::max(outermost, 1e-2) * jump_time_fraction;
    if (&breakpoint != &breakpoints_.front())
        gap = std::min(gap, 0.5 * (double{breakpoint.seconds} - (&breakpoint)[-1].seconds));
    if (&breakpoint != &breakpoints_.back())
        gap = std::min(gap, 0.5 * ((&breakpoint)[1].seconds - double{breakpoint.seconds}));
    return fbx::keys_of_jump(breakpoint, gap, 4.0 * tolerance_, is_rotation());
}

void TrackBaker::push(BakedKey key)
{
    if (!keys_->is_empty()) {
        if (key.seconds <= keys_->last().seconds) return;
        if (is_rotation()) key.turn_to(keys_->last().value);
    }
    keys_->push(std::move(key));
}

// Keys for values that are constant or linear between the breakpoints; a step needs no key for the value
// before it.
void TrackBaker::keep_breakpoints()
{
    const bool steps = interpolation_ == scene::Interpolation::step;
    for (const Breakpoint& breakpoint : breakpoints_) {
        if (!breakpoint.jumps) {
            push(key_of(breakpoint));
            continue;
        }
        std::vector<BakedKey> keys = keys_of_jump(breakpoint);
        for (std::size_t i = steps && &breakpoint != &breakpoints_.front() ? 1 : 0; i < keys.size(); ++i)
            push(std::move(keys[i]));
    }
}

// Returns whether the curve between two keys matches the motion at the probe times; motion values in `known`
// need not be sampled.
bool TrackBaker::fits(const BakedKey& from, const BakedKey& to, const Probes* known)
{
    const double span = double{to.seconds} - double{from.seconds};
    for (std::size_t i = 0; i < probe_fractions.size(); ++i) {
        SampleValues shown = hermite(from, to, probe_fractions[i]);
        const double length = is_rotation() ? std::sqrt(std::max(dot(shown, shown), 1e-30)) : 1.0;
        for (double& v : shown)
            v /= length;
        const SampleValues is =
            known ? (*known)[i] : value_at(double{from.seconds} + probe_fractions[i] * span);
        if (!(distance(shown, is) <= tolerance_)) return false;
    }
    return true;
}

// Adds keys after `from`, which is the last key already, up to `to`, with as many subdivisions as needed.
// `from` must be a copy because the last key changes.
void TrackBaker::fit(const BakedKey& from, BakedKey to, const Probes* known, int bisections)
{
    if (is_rotation()) to.turn_to(from.value);
    const bool good = fits(from, to, known);
    const auto midpoint = static_cast<float>(0.5 * (double{from.seconds} + double{to.seconds}));
    const bool can_bisect =
        bisections > 0 && !budget_.is_exhausted() && midpoint > from.seconds && midpoint < to.seconds;
    if (good || !can_bisect) {
        keys_->last().out = from.out;
        push(std::move(to));
        return;
    }
    BakedKey half{.seconds = midpoint};
    sample(ticks_at(double{midpoint}), TimeSide::after, half.value, half.in);
    half.out = half.in;
    fit(from, std::move(half), nullptr, bisections - 1);
    fit(BakedKey(keys_->last()), std::move(to), nullptr, bisections - 1);
}

void TrackBaker::fit_all()
{
    for (std::size_t i = 0; i < breakpoints_.size(); ++i) {
        const Breakpoint& breakpoint = breakpoints_[i];
        std::vector<BakedKey> keys =
            breakpoint.jumps ? keys_of_jump(breakpoint) : std::vector{key_of(breakpoint)};
        std::size_t arrived = 0;
        if (i > 0) {
            BakedKey to = keys[0];
            to.out = to.in;
            if (!breakpoint.jumps) to.value = breakpoint.before;
            const bool is_gap = range_.gap && breakpoints_[i - 1].ticks >= range_.gap->first &&
                                breakpoint.ticks <= range_.gap->second;
            const int bisections =
                is_gap ? 0 : bisections_for(double{breakpoint.seconds} - double{breakpoints_[i - 1].seconds});
            fit(BakedKey(keys_->last()), std::move(to), &segments_[i - 1].probes, bisections);
            // At the same time, but with its own outgoing rate.
            if (is_rotation()) keys[0].turn_to(keys_->last().value);
            keys_->last().out = keys[0].out;
            arrived = 1;
        }
        for (std::size_t k = arrived; k < keys.size(); ++k)
            push(std::move(keys[k]));
    }
}

// Adds one key next to the last one at each end with linear extrapolation: its tangents represent the slopes
// with which the curves continue, or 0 for constant ones. Does not affect ends that are held.
void TrackBaker::write_linear_start()
{
    if (!range_.before.straight) return;
    const Breakpoint& first = breakpoints_.front();
    push({std::nextafter(first.seconds, -INFINITY), first.before_rate, first.before, first.before_rate});
}

void TrackBaker::write_linear_end()
{
    if (!range_.after.straight) return;
    const Breakpoint& last = breakpoints_.back();
    push({std::nextafter(last.seconds, INFINITY), last.after_rate, last.after, last.after_rate});
}

void TrackBaker::write_keys()
{
    if (interpolation_ != scene::Interpolation::cubic) return keep_breakpoints();
    write_linear_start();
    fit_all();
    write_linear_end();
}

} // namespace vitrine::fbx
