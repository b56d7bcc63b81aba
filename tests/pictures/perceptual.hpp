#pragma once
// Measures the visible difference of two images. Pure functions.

#include <array>
#include <cstdint>
#include <vector>

#include "vk_renderer/base/frame.hpp"

namespace vitrine::test {

// Fraction of each pixel covered by the model, 0..1, row by row. Empty: all pixels are covered.
using Coverage = std::vector<float>;

// The alpha channel of an image of the model on a transparent background without ground.
Coverage coverage_of(const render::Frame& frame);

// Distances are in OKLab, where black to white is 1 and 0.02 is just noticeable, after a blur that removes
// differences of antialiasing and texture filtering between drivers. A window is 8 x 8 pixels, at every
// position in the image.
struct Difference {
    double mean = 0.0;          // sum of the distances, divided by the model's area in pixels
    double percentile_99 = 0.0; // distance exceeded on a hundredth of the model's area
    double window = 0.0;        // largest mean distance in a window
    double window_color = 0.0;  // largest distance between mean colors of a window
    double brightness = 0.0;    // absolute relative change of the luminance of the model's pixels
};

// Whether no member of `measured` exceeds that of `limit`.
bool within(const Difference& measured, const Difference& limit);

// An image prepared for comparison: blurred OKLab colors, and the luminance of each pixel before the blur.
struct Appearance {
    std::uint32_t width = 0, height = 0;
    std::vector<glm::vec3> colors;
    std::vector<float> luminance;
};

// Precondition: not empty. Alpha counts: the image is composited over a gray checkerboard.
Appearance appearance_of(const render::Frame& frame);

// The members of Appearance::colors inside a large surface of one color, straight alpha and sRGB, over the
// dark and the light squares of the checkerboard.
std::array<glm::vec3, 2> colors_of_surface(const std::array<std::uint8_t, 4>& rgba);

// Linear light, 0..1, of an sRGB value.
float linear_from_byte(std::uint8_t value);

// Precondition: equal sizes, `model` too unless it is empty.
Difference difference(const Appearance& a, const Appearance& b, const Coverage& model = {});
Difference difference(const render::Frame& a, const render::Frame& b, const Coverage& model = {});

// a, b and the distances (black: 0, white: 0.25 and more) side by side.
render::Frame side_by_side(const render::Frame& a, const render::Frame& b);

} // namespace vitrine::test
