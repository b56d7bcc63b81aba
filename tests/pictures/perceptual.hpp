#pragma once
// How different two pictures look. Pure.

#include <vector>

#include "vk_renderer/base/frame.hpp"

namespace vitrine::test {

// How much of each pixel the model covers, 0..1, row by row. Empty: all of each.
using Coverage = std::vector<float>;

// The alpha of a picture of the model on a transparent background and without a ground.
Coverage coverage_of(const render::Frame& frame);

// Distances are in OKLab, where black to white is 1 and 0.02 is what an eye just tells apart, after a blur
// that takes away what another driver's antialiasing and texture filter do to edges. A window is 8 x 8
// pixels, at every place in the picture.
struct Difference {
    double mean = 0.0;          // sum of the distances, divided by the model's area in pixels
    double percentile_99 = 0.0; // the distance that is exceeded on a hundredth of the model's area
    double window = 0.0;        // largest mean distance in a window
    double window_color = 0.0;  // largest distance between the mean colors of a window
    double brightness = 0.0;    // relative change of the luminance of the model's pixels, without its sign
};

// No member of `measured` is larger than that of `limit`.
bool within(const Difference& measured, const Difference& limit);

// A picture as it is compared: blurred OKLab colors, and the luminance of each pixel before the blur.
struct Appearance {
    std::uint32_t width = 0, height = 0;
    std::vector<glm::vec3> colors;
    std::vector<float> luminance;
};

// Precondition: not empty. Alpha counts: the picture lies over a checker of greys.
Appearance appearance_of(const render::Frame& frame);

// Precondition: of one size, `model` too unless it is empty.
Difference difference(const Appearance& a, const Appearance& b, const Coverage& model = {});
Difference difference(const render::Frame& a, const render::Frame& b, const Coverage& model = {});

// a, b and the distances (black: none, white: 0.25 and more) side by side.
render::Frame side_by_side(const render::Frame& a, const render::Frame& b);

} // namespace vitrine::test
