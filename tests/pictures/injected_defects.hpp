#pragma once
// Plants defects into a finished image, which a comparison must detect. Pure functions.

#include <vector>

#include "tests/pictures/perceptual.hpp"

namespace vitrine::test {

// Returns the largest mean distance over a square of 10 x 10 pixels.
double largest_square_distance(const Appearance& a, const Appearance& b);

// Three times the just noticeable difference: a change of a 10 x 10 pixel square by this mean distance must
// not pass.
inline constexpr double visible_distance = 0.06;

struct PlantedDefect {
    const char* name;
    render::Frame frame;
    Appearance appearance; // of `frame`
};

// darker    the model at 0.9 of its brightness, in linear light
// hole      10 x 10 pixels inside the model show the color of the left border of their row
//           (black or white if that is not visible)
// painted   10 x 10 pixels inside the model have the mean color of the surrounding pixels
// recolored pixels with the model's most frequent color, in steps of 32, have 0.6 of the light of its
//           strongest channel
// shifted   24 x 24 pixels are shifted by two pixels
// Each defect is placed where it is least visible, but by at least visible_distance. Defects other than
// `darker` that are less visible everywhere (such as painting over a uniform surface) are omitted.
// `appearance` is that of `frame`.
std::vector<PlantedDefect> plant_defects(const render::Frame& frame, const Appearance& appearance,
                                         const Coverage& model);

} // namespace vitrine::test
