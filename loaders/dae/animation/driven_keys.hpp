#pragma once
// Curves with keys over another animated number instead of time, as ColladaMaya writes Maya's driven keys:
// the input DRIVER, of the sampler or of a <technique> of its times, names that number.

#include <string>
#include <vector>

#include "loaders/dae/animation/animations.hpp"

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

} // namespace vitrine::dae
