#pragma once
// <sampler> to a curve.

#include "loaders/dae/curve.hpp"
#include "loaders/dae/sources.hpp"

namespace vitrine::dae {

// Without keys: nothing usable. `relative_tangents`: program.hpp.
LoadResult<Curve> read_curve(io::XmlNode sampler, bool relative_tangents, Documents& documents,
                             Sources& sources, io::Budget& budget);

} // namespace vitrine::dae
