#include "loaders/dae/animation/driven_keys.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "loaders/dae/curves/curve_extrapolation.hpp"

namespace vitrine::dae {
namespace {

constexpr double relative_tolerance = 1e-5; // of the values' range
constexpr std::uint64_t max_pieces = 64;    // minimum limit for an interval of the driver
constexpr int max_bisections = 8;           // bisection depth of one part

// Samples a driven curve at the value of its driver, as keys over time.
class DrivenSampler {
public:
    DrivenSampler(const SamplerCurve& driven, const Driver& driver, std::uint64_t values)
        : driven_(driven), driver_(driver), left_(values)
    {
    }

    SamplerCurve run()
    {
        out_.dimensions = driven_.dimensions;
        find_range();
        const std::vector<double>& times = driver_.curve->times;
        const std::uint64_t affordable = left_ / (2 * times.size() * std::max(driven_.dimensions, 1u));
        const auto pieces = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(affordable, 1, max_pieces));
        add(times.front(), JumpSide::after);
        for (std::size_t i = 1; i < times.size(); ++i)
            if (times[i] > times[i - 1]) follow(times[i - 1], times[i], pieces);
        out_.kinds.assign(out_.keys(), SamplerInterpolation::linear);
        take_modes();
        return std::move(out_);
    }

private:
    using SampledValues = std::vector<double>;

    void find_range()
    {
        for (std::uint32_t d = 0; d < driven_.dimensions; ++d)
            for (std::size_t key = 0; key < driven_.keys(); ++key)
                range_ = std::max(range_, std::abs(driven_.value(key, d)));
    }

    SampledValues values_at(double time, JumpSide side)
    {
        const double at = driver_.at(time, side);
        SampledValues values;
        for (std::uint32_t d = 0; d < driven_.dimensions; ++d)
            values.push_back(evaluate_extrapolated(driven_, at, d, side));
        left_ -= std::min<std::uint64_t>(left_, values.size());
        return values;
    }

    void add(double time, const SampledValues& values)
    {
        if (!out_.times.empty() && out_.times.back() == time) out_.jumps.push_back(out_.keys());
        out_.times.push_back(time);
        out_.values.insert(out_.values.end(), values.begin(), values.end());
    }
    void add(double time, JumpSide side) { add(time, values_at(time, side)); }

    // Samples from one key of the driver to the next, split where it crosses keys of the driven curve, at
    // which that curve bends or steps.
    void follow(double from, double to, std::uint32_t pieces)
    {
        SampledValues before = values_at(from, JumpSide::after);
        if (!std::equal(before.begin(), before.end(), out_.values.end() - std::ptrdiff_t(before.size())))
            add(from, before);
        double last = from;
        for (std::uint32_t piece = 1; piece <= pieces; ++piece) {
            const double next = piece == pieces ? to : from + (to - from) * piece / pieces;
            for (const double crossing : crossings(last, next))
                last = refine(last, crossing, before, 0);
            last = refine(last, next, before, 0);
        }
    }

    // Returns the times between two at which the driver crosses keys of the driven curve.
    std::vector<double> crossings(double from, double to)
    {
        const double a = driver_.at(from, JumpSide::after), b = driver_.at(to, JumpSide::before);
        const auto first = std::ranges::upper_bound(driven_.times, std::min(a, b));
        const auto last = std::ranges::lower_bound(driven_.times, std::max(a, b));
        std::vector<double> found;
        for (auto key = first; key < last && left_ > 0; ++key) {
            found.push_back(moment_of(*key, from, to, a < b));
            left_ -= std::min<std::uint64_t>(left_, 50);
        }
        std::ranges::sort(found);
        return found;
    }

    double moment_of(double level, double low, double high, bool rises) const
    {
        for (int i = 0; i < 50; ++i) {
            const double middle = 0.5 * (low + high);
            const bool is_beyond = (driver_.at(middle, JumpSide::after) > level) == rises;
            (is_beyond ? high : low) = middle;
        }
        return high;
    }

    // Adds keys after `from`, whose values are `before`, up to `to`, and sets `before` to the last values.
    // Returns `to`.
    double refine(double from, double to, SampledValues& before, int depth)
    {
        const SampledValues end = values_at(to, JumpSide::before);
        const double middle = 0.5 * (from + to);
        if (depth < max_bisections && left_ > 0 && middle > from && middle < to) {
            const SampledValues half = values_at(middle, JumpSide::after);
            if (!is_straight(before, half, end)) {
                refine(from, middle, before, depth + 1);
                return refine(middle, to, before, depth + 1);
            }
        }
        add(to, end);
        before = end;
        return to;
    }

    bool is_straight(const SampledValues& a, const SampledValues& half, const SampledValues& b) const
    {
        for (std::size_t i = 0; i < half.size(); ++i)
            if (std::abs(0.5 * (a[i] + b[i]) - half[i]) > relative_tolerance * range_) return false;
        return true;
    }

    // Repetition in time is kept; a linear extrapolation of the driver is not linear here.
    void take_modes()
    {
        const auto kept = [](InfinityBehavior mode) {
            return mode == InfinityBehavior::cycle || mode == InfinityBehavior::oscillate
                       ? mode
                       : InfinityBehavior::constant;
        };
        out_.before = kept(driver_.curve->before);
        out_.after = kept(driver_.curve->after);
    }

    const SamplerCurve& driven_;
    const Driver& driver_;
    std::uint64_t left_; // evaluations left
    double range_ = 0.0;
    SamplerCurve out_;
};

} // namespace

double evaluate_extrapolated(const SamplerCurve& curve, double place, std::uint32_t dimension, JumpSide side)
{
    constexpr double no_end = std::numeric_limits<double>::infinity();
    return evaluate(curve, map_time(curve, place, side, no_end), dimension);
}

SamplerCurve sample_driven(const SamplerCurve& driven, const Driver& driver, std::uint64_t values)
{
    return DrivenSampler(driven, driver, values).run();
}

} // namespace vitrine::dae
