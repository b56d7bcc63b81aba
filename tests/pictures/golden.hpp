#pragma once
// The pictures that are kept in tests/pictures/golden, by name.
//
// VITRINE_MAKE_GOLDENS=1 (script/pictures --goldens) writes them instead of comparing.

#include <string>

#include "tests/pictures/perceptual.hpp"

namespace vitrine::test {

// What another driver or rounding may change; measured, see README.md.
inline constexpr Difference tolerance{
    .mean = 0.006, .percentile_99 = 0.035, .window = 0.03, .window_color = 0.03, .brightness = 0.015};
// The same where formats with vertices and normals of few bits show what others show exactly.
inline constexpr Difference tolerance_of_formats{
    .mean = 0.014, .percentile_99 = 0.055, .window = 0.042, .window_color = 0.04, .brightness = 0.02};
// The same where a device is driven as a graphics card, with 4 samples a pixel.
inline constexpr Difference tolerance_of_samples{
    .mean = 0.022, .percentile_99 = 0.065, .window = 0.045, .window_color = 0.043, .brightness = 0.022};

// Thin lines and textures that repeat, which a device driven as a graphics card draws otherwise (4 samples of
// a line of one pixel, anisotropy), have pictures of their own for it, NAME-of-samples.
//
// `frame` with `model`, the coverage of its pixels by the model. Fails when there is no such picture, when it
// differs by more than the tolerance of the device that draws, and when a defect that is planted into `frame`
// (planted.hpp) passes with the tolerance of any device. Golden, picture and difference then lie side by side
// in $VITRINE_TEST_PICTURES, by default failed_pictures of the working folder, and the failure says where.
void expect_golden(const render::Frame& frame, const Coverage& model, const std::string& name);

// Fails when `frame`, which shows something else, passes for the picture with the tolerance of any device.
void expect_other_than_golden(const render::Frame& frame, const Coverage& model, const std::string& name);

// True if the tolerances of the software driver or of a graphics card let `measured` pass for the picture.
bool passes_for(const std::string& name, const Difference& measured);

// One line on standard output if $VITRINE_VERBOSE is set: the members of `measured`, `what` it is and the
// picture.
void print_difference(const std::string& what, const std::string& name, const Difference& measured);

} // namespace vitrine::test
