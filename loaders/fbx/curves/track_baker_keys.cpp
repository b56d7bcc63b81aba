// From breakpoints to the keys of the channel.

#include <algorithm>
#include <cmath>
#include <utility>

#include "loaders/fbx/curves/track_baker.hpp"

namespace vitrine::fbx {
namespace {

// Halvings of a piece between two breakpoints. Breakpoints of a thousand hertz are cut into halves of a
// millisecond and no further, which no picture shows: fast turns would take dozens of pieces each.
constexpr int max_halvings = 10;
constexpr double dense_seconds = 2e-3, shortest_seconds = 0.6e-3;
// How far apart the keys of a jump stand, of its time: half of what scene::sample_channel() takes for one; of
// a step, of the outermost time: twice the slack with which it takes that.
constexpr double jump_share = 0x1p-21;

int halvings_of(double span)
{
    if (span > dense_seconds) return max_halvings;
    return span > shortest_seconds ? static_cast<int>(std::ceil(std::log2(span / shortest_seconds))) : 0;
}

} // namespace

// A jump, with its keys no nearer to the next breakpoints than half the way.
std::vector<Key> Baker::keys_of_jump(const Breakpoint& breakpoint) const
{
    double outermost = std::abs(double{breakpoint.seconds});
    if (interpolation_ == scene::Interpolation::step)
        outermost = std::max(std::abs(double{breakpoints_.front().seconds}),
                             std::abs(double{breakpoints_.back().seconds}));
    double gap = std::max(outermost, 1e-2) * jump_share;
    if (&breakpoint != &breakpoints_.front())
        gap = std::min(gap, 0.5 * (double{breakpoint.seconds} - (&breakpoint)[-1].seconds));
    if (&breakpoint != &breakpoints_.back())
        gap = std::min(gap, 0.5 * ((&breakpoint)[1].seconds - double{breakpoint.seconds}));
    return fbx::keys_of_jump(breakpoint, gap, 4.0 * tolerance_, is_rotation());
}

void Baker::push(Key key)
{
    if (!keys_->is_empty()) {
        if (key.seconds <= keys_->last().seconds) return;
        if (is_rotation()) key.turn_to(keys_->last().value);
    }
    keys_->push(std::move(key));
}

// Between the breakpoints the values stand still, or go straight; a step needs no key for where it comes
// from.
void Baker::keep_breakpoints()
{
    const bool steps = interpolation_ == scene::Interpolation::step;
    for (const Breakpoint& breakpoint : breakpoints_) {
        if (!breakpoint.jumps) {
            push(key_of(breakpoint));
            continue;
        }
        std::vector<Key> keys = keys_of_jump(breakpoint);
        for (std::size_t i = steps && &breakpoint != &breakpoints_.front() ? 1 : 0; i < keys.size(); ++i)
            push(std::move(keys[i]));
    }
}

// Whether the curve from key to key is the motion, at the places that are tried; what is `known` there need
// not be sampled.
bool Baker::fits(const Key& from, const Key& to, const Probes* known)
{
    const double span = double{to.seconds} - double{from.seconds};
    for (std::size_t i = 0; i < probe_fractions.size(); ++i) {
        Values shown = hermite(from, to, probe_fractions[i]);
        const double length = is_rotation() ? std::sqrt(std::max(dot(shown, shown), 1e-30)) : 1.0;
        for (double& v : shown)
            v /= length;
        const Values is = known ? (*known)[i] : value_at(double{from.seconds} + probe_fractions[i] * span);
        if (!(distance(shown, is) <= tolerance_)) return false;
    }
    return true;
}

// From a key that is there already to one that is not, in as many pieces as it takes. The first is a copy of
// the caller's, for the last key changes.
void Baker::fit(const Key& from, Key to, const Probes* known, int halvings)
{
    if (is_rotation()) to.turn_to(from.value);
    const bool good = fits(from, to, known);
    const auto middle = static_cast<float>(0.5 * (double{from.seconds} + double{to.seconds}));
    const bool can_halve =
        halvings > 0 && !budget_.is_exhausted() && middle > from.seconds && middle < to.seconds;
    if (good || !can_halve) {
        keys_->last().out = from.out;
        push(std::move(to));
        return;
    }
    Key half{.seconds = middle};
    sample(ticks_at(double{middle}), Side::after, half.value, half.in);
    half.out = half.in;
    fit(from, std::move(half), nullptr, halvings - 1);
    fit(Key(keys_->last()), std::move(to), nullptr, halvings - 1);
}

void Baker::fit_all()
{
    for (std::size_t i = 0; i < breakpoints_.size(); ++i) {
        const Breakpoint& breakpoint = breakpoints_[i];
        std::vector<Key> keys = breakpoint.jumps ? keys_of_jump(breakpoint) : std::vector{key_of(breakpoint)};
        std::size_t arrived = 0;
        if (i > 0) {
            Key to = keys[0];
            to.out = to.in;
            if (!breakpoint.jumps) to.value = breakpoint.before;
            const bool is_gap = range_.gap && breakpoints_[i - 1].ticks >= range_.gap->first &&
                                breakpoint.ticks <= range_.gap->second;
            const int halvings =
                is_gap ? 0 : halvings_of(double{breakpoint.seconds} - double{breakpoints_[i - 1].seconds});
            fit(Key(keys_->last()), std::move(to), &segments_[i - 1].probes, halvings);
            // The same place, to be left at its own rate.
            if (is_rotation()) keys[0].turn_to(keys_->last().value);
            keys_->last().out = keys[0].out;
            arrived = 1;
        }
        for (std::size_t k = arrived; k < keys.size(); ++k)
            push(std::move(keys[k]));
    }
}

// One more key at each end that goes on straight, next to the last one: where the curves held their values or
// went on, its tangents are what they do from there. Nothing changes for who holds the end.
void Baker::write_linear_start()
{
    if (!range_.before.straight) return;
    const Breakpoint& first = breakpoints_.front();
    push({std::nextafter(first.seconds, -INFINITY), first.before_rate, first.before, first.before_rate});
}

void Baker::write_linear_end()
{
    if (!range_.after.straight) return;
    const Breakpoint& last = breakpoints_.back();
    push({std::nextafter(last.seconds, INFINITY), last.after_rate, last.after, last.after_rate});
}

void Baker::write_keys()
{
    if (interpolation_ != scene::Interpolation::cubic) return keep_breakpoints();
    write_linear_start();
    fit_all();
    write_linear_end();
}

} // namespace vitrine::fbx
