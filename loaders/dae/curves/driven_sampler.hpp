#pragma once
// A curve over a number that another curve moves, as a curve over time.

#include <cstdint>

#include "loaders/dae/curves/curve.hpp"

namespace vitrine::dae {

// The curve's value at any place, outside its keys too.
double evaluate_extrapolated(const Curve& curve, double place, std::uint32_t dimension, Side side);

// The number that drives, over time.
struct Driver {
    const Curve* curve = nullptr; // null: it stands still
    std::uint32_t dimension = 0;
    double factor = 1.0, rest = 0.0;

    double at(double time, Side side) const
    {
        return curve == nullptr ? rest : factor * evaluate_extrapolated(*curve, time, dimension, side);
    }
};

// Straight lines between moments of the driver's curve, within 1e-5 of the driven one's range; `values`:
// about how many may be looked up, beyond which it becomes coarser. Precondition: the driver has a curve.
Curve sample_driven(const Curve& driven, const Driver& driver, std::uint64_t values);

} // namespace vitrine::dae
