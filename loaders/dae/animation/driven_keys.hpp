#pragma once
// Curves whose keys stand over another animated number and not over time, as ColladaMaya writes Maya's driven
// keys: the input DRIVER, of the sampler or of a <technique> of its times, names that number.

#include <string>
#include <vector>

#include "loaders/dae/animation/animations.hpp"

namespace vitrine::dae {

struct DrivenCurve {
    std::uint32_t curve = 0; // index, of Animations; as the file has it
    io::XmlNode sampler;
    std::string driver; // what names the number, as a channel's target does
};

// Makes each a curve over time: straight lines between moments of its driver's curve, within 1e-5 of its
// range, or as near as a bound on all of them allows. One whose driver is not there, or stands still, has the
// one value that it has there. Drivers may be driven themselves, but not in a circle. Errors: limit_exceeded.
LoadResult<void> resolve_driven_curves(const std::vector<DrivenCurve>& driven, Animations& animations,
                                       Documents& documents, io::Budget& budget);

} // namespace vitrine::dae
