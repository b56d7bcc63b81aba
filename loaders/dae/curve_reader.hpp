#pragma once
// <sampler> to a curve.

#include "loaders/dae/curve.hpp"
#include "loaders/dae/sources.hpp"

namespace vitrine::dae {

// Without keys: nothing usable. `relative_tangents`: program.hpp.
LoadResult<Curve> read_curve(io::XmlNode sampler, bool relative_tangents, Documents& documents,
                             Sources& sources, io::Budget& budget);

// Whether its keys stand over another animated number and not over time (ColladaMaya's and FCollada's driven
// keys).
bool is_driven(io::XmlNode sampler, Documents& documents);

} // namespace vitrine::dae
