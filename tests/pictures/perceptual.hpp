#pragma once
// How different two pictures look. Pure.

#include "vk_renderer/base/frame.hpp"

namespace vitrine::test {

// Distances in OKLab, where black to white is 1 and 0.02 is what an eye just tells apart, after a blur that
// takes away what another driver's antialiasing and texture filter do to edges.
struct Difference {
    double mean = 0.0;
    double percentile_99 = 0.0;
};

// Precondition: of one size, not empty. Alpha counts: both lie over a checker of greys.
Difference difference(const render::Frame& a, const render::Frame& b);

// a, b and the distances (black: none, white: 0.25 and more) side by side.
render::Frame side_by_side(const render::Frame& a, const render::Frame& b);

} // namespace vitrine::test
