#pragma once
// Curves with keys over another animated number instead of time, as ColladaMaya writes Maya's driven keys:
// the input DRIVER, of the sampler or of a <technique> of its times, names that number.

#include <cstdint>
#include <string>
#include <vector>

#include "loaders/dae/animation/animations.hpp"
#include "loaders/dae/curves/curve.hpp"

namespace vitrine::dae {

struct DrivenCurve {
    std::uint32_t curve = 0; // index into Animations' curves, as in the file
    io::XmlNode sampler;
    std::string driver; // names the driving number, in the form of a channel's target
};

// Converts each driven curve to a curve over time: linear segments between samples of its driver's curve,
// within 1e-5 of its range, or coarser when a bound on the total work requires it. A curve whose driver is
// missing or constant becomes constant. Drivers may be driven themselves, without cycles. Errors:
// limit_exceeded.
LoadResult<void> resolve_driven_curves(const std::vector<DrivenCurve>& driven, Animations& animations,
                                       Documents& documents, io::Budget& budget);

// Evaluates the curve at any position, including outside its keys.
double evaluate_extrapolated(const SamplerCurve& curve, double place, std::uint32_t dimension, JumpSide side);

// The driving number over time.
struct Driver {
    const SamplerCurve* curve = nullptr; // null: constant
    std::uint32_t dimension = 0;
    double factor = 1.0, rest = 0.0;

    double at(double time, JumpSide side) const
    {
        return curve == nullptr ? rest : factor * evaluate_extrapolated(*curve, time, dimension, side);
    }
};

// Converts a curve over an animated number to a curve over time: linear segments between samples of the
// driver's curve, within 1e-5 of the driven curve's range.
// `values`: approximate limit on evaluations, beyond which the result is coarser. Precondition: the driver
// has a curve.
SamplerCurve sample_driven(const SamplerCurve& driven, const Driver& driver, std::uint64_t values);

} // namespace vitrine::dae
