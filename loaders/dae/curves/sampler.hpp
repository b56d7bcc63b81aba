#pragma once
// Samples an animated value at keys dense enough for linear interpolation.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "loaders/dae/curves/curve.hpp"
#include "loaders/dae/curves/sampling.hpp"

namespace vitrine::dae {

template <class Value>
struct Sampled {
    double time = 0.0;
    Value value{};
};

// Function: at(time, side) -> Value; jumps(a, b): whether two values at one time differ; fits(a, b, t,
// value): whether linear interpolation from a to b gives `value` at t = 0 .. 1; pieces(from, to): the minimum
// number of parts of the interval. With `exact`, linear interpolation between those always fits.
template <class Value, class At, class Differ, class Fits, class Pieces>
class CurveSampler {
public:
    CurveSampler(At at, Differ differ, Fits fits, Pieces pieces, bool exact, std::uint64_t max_keys,
                 std::uint64_t lookup_cost, Sampling& sampling)
        : at_(at), differ_(differ), fits_(fits), pieces_(pieces), exact_(exact), max_keys_(max_keys),
          lookup_cost_(lookup_cost), sampling_(sampling), even_steps_(sampling.even_steps())
    {
    }

    // `times` are ascending. Two keys at one time are a jump. Stops after `most` keys, and when the sampling
    // budget is exhausted, possibly before the first key.
    std::vector<Sampled<Value>> run(std::span<const double> times)
    {
        refined_ = 4096 + 16 * times.size();
        follow(times);
        // A curve that needs too many keys: restart with even steps for all of it.
        if (even_steps_ == 0 && keys_.size() >= refined_ && keys_.size() > times.size()) {
            sampling_.set_coarse();
            even_steps_ = static_cast<std::uint32_t>(refined_ / times.size());
            keys_.clear();
            follow(times);
        }
        return std::move(keys_);
    }

private:
    static constexpr int max_depth = 12;

    void follow(std::span<const double> times)
    {
        for (std::size_t i = 0; i < times.size() && keys_.size() < max_keys_ && !sampling_.exhausted(); ++i) {
            const Value here = at_(times[i], Side::after);
            if (i > 0) between(keys_.back().time, {times[i], at_(times[i], Side::before)});
            if (i > 0 && differ_(keys_.back().value, here)) keys_.push_back({times[i], here});
            if (i == 0) keys_.push_back({times[i], here});
        }
    }

    Value look_up(double time)
    {
        sampling_.count_lookup(lookup_cost_);
        return at_(time, Side::after);
    }

    std::uint32_t steps(double from, double to)
    {
        if (even_steps_ > 0) return exact_ ? std::clamp(pieces_(from, to), 1u, even_steps_) : even_steps_;
        return keys_.size() < refined_ ? std::max(1u, pieces_(from, to)) : 1u;
    }

    void between(double from, const Sampled<Value>& to)
    {
        const std::uint32_t count = steps(from, to.time);
        for (std::uint32_t n = 1; n <= count; ++n) {
            const double time = from + (to.time - from) * n / count;
            const Sampled<Value> next = n == count ? to : Sampled<Value>{time, look_up(time)};
            refine(Sampled<Value>(keys_.back()), next, 0); // a copy, because the vector grows
        }
    }

    bool may_refine(int depth) const
    {
        return !exact_ && even_steps_ == 0 && depth < max_depth && keys_.size() < refined_ &&
               !sampling_.exhausted();
    }

    void refine(const Sampled<Value>& from, const Sampled<Value>& to, int depth)
    {
        if (keys_.size() >= max_keys_) return;
        const double middle = 0.5 * (from.time + to.time);
        if (may_refine(depth) && middle > from.time && middle < to.time) {
            const Sampled<Value> half{middle, look_up(middle)};
            if (!is_straight(from, half, to)) {
                refine(from, half, depth + 1);
                refine(half, to, depth + 1);
                return;
            }
        }
        keys_.push_back(to);
    }

    bool is_straight(const Sampled<Value>& from, const Sampled<Value>& half, const Sampled<Value>& to)
    {
        if (!fits_(from.value, to.value, 0.5, half.value)) return false;
        for (const double t : {0.25, 0.75})
            if (!fits_(from.value, to.value, t, look_up(from.time + t * (to.time - from.time)))) return false;
        return true;
    }

    At at_;
    Differ differ_;
    Fits fits_;
    Pieces pieces_;
    bool exact_;
    std::uint64_t max_keys_, lookup_cost_;
    Sampling& sampling_;
    std::uint32_t even_steps_;
    std::uint64_t refined_ = 0; // limit on the keys of one curve, which may be hostile
    std::vector<Sampled<Value>> keys_;
};

} // namespace vitrine::dae
