#pragma once
// Keys of something that changes over time, no further apart than straight lines between them allow.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "loaders/dae/curve.hpp"

namespace vitrine::dae {

template <class Value>
struct Sampled {
    double time = 0.0;
    Value value{};
};

// Function: at(time, side) -> Value; jumps(a, b): whether two values at one time differ; fits(a, b, t,
// value): whether a straight line from a to b has `value` at t = 0 .. 1; pieces(from, to): into how many
// parts the interval is cut in any case. With `exact` straight lines between those always fit.
template <class Value, class At, class Differ, class Fits, class Pieces>
class CurveSampler {
public:
    CurveSampler(At at, Differ differ, Fits fits, Pieces pieces, bool exact, std::uint64_t most)
        : at_(at), differ_(differ), fits_(fits), pieces_(pieces), exact_(exact), most_(most)
    {
    }

    // `times` ascend. Keys at one time are a jump. Stops after `most` keys.
    std::vector<Sampled<Value>> run(std::span<const double> times)
    {
        refined_ = 4096 + 16 * times.size();
        for (std::size_t i = 0; i < times.size() && keys_.size() < most_; ++i) {
            const Value here = at_(times[i], Side::after);
            if (i > 0) between(keys_.back().time, {times[i], at_(times[i], Side::before)});
            if (i > 0 && differ_(keys_.back().value, here)) keys_.push_back({times[i], here});
            if (i == 0) keys_.push_back({times[i], here});
        }
        return std::move(keys_);
    }

private:
    static constexpr int deepest = 12;

    void between(double from, const Sampled<Value>& to)
    {
        const std::uint32_t count = keys_.size() < refined_ ? std::max(1u, pieces_(from, to.time)) : 1u;
        for (std::uint32_t n = 1; n <= count; ++n) {
            const double time = from + (to.time - from) * n / count;
            const Sampled<Value> next = n == count ? to : Sampled<Value>{time, at_(time, Side::after)};
            refine(Sampled<Value>(keys_.back()), next, 0); // a copy: the keys grow
        }
    }

    void refine(const Sampled<Value>& from, const Sampled<Value>& to, int depth)
    {
        if (keys_.size() >= most_) return;
        const double middle = 0.5 * (from.time + to.time);
        if (!exact_ && depth < deepest && keys_.size() < refined_ && middle > from.time && middle < to.time &&
            !is_straight(from, to)) {
            const Sampled<Value> half{middle, at_(middle, Side::after)};
            refine(from, half, depth + 1);
            refine(half, to, depth + 1);
            return;
        }
        keys_.push_back(to);
    }

    bool is_straight(const Sampled<Value>& from, const Sampled<Value>& to)
    {
        for (const double t : {0.25, 0.5, 0.75})
            if (!fits_(from.value, to.value, t, at_(from.time + t * (to.time - from.time), Side::after)))
                return false;
        return true;
    }

    At at_;
    Differ differ_;
    Fits fits_;
    Pieces pieces_;
    bool exact_;
    std::uint64_t most_;
    std::uint64_t refined_ = 0; // keys beyond which only those of the file follow: a curve may be hostile
    std::vector<Sampled<Value>> keys_;
};

} // namespace vitrine::dae
