#pragma once
// Converts a curve over an animated number to a curve over time.

#include <cstdint>

#include "loaders/dae/curves/curve.hpp"

namespace vitrine::dae {

// Evaluates the curve at any position, including outside its keys.
double evaluate_extrapolated(const Curve& curve, double place, std::uint32_t dimension, Side side);

// The driving number over time.
struct Driver {
    const Curve* curve = nullptr; // null: constant
    std::uint32_t dimension = 0;
    double factor = 1.0, rest = 0.0;

    double at(double time, Side side) const
    {
        return curve == nullptr ? rest : factor * evaluate_extrapolated(*curve, time, dimension, side);
    }
};

// Returns linear segments between samples of the driver's curve, within 1e-5 of the driven curve's range.
// `values`: approximate limit on evaluations, beyond which the result is coarser. Precondition: the driver
// has a curve.
Curve sample_driven(const Curve& driven, const Driver& driver, std::uint64_t values);

} // namespace vitrine::dae
