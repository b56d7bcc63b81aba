#pragma once
// Faults put into a finished picture: what a comparison must tell from the picture without them. Pure.

#include <vector>

#include "tests/pictures/perceptual.hpp"

namespace vitrine::test {

// The largest mean distance over a square of 10 x 10 pixels.
double largest_square_distance(const Appearance& a, const Appearance& b);

// Three times what an eye just tells apart: what changes a square of 10 x 10 pixels by this mean distance
// must not pass for the picture.
inline constexpr double visible_distance = 0.06;

struct PlantedDefect {
    const char* name;
    render::Frame frame;
};

// darker    the model at 0.9 of its brightness, in linear light
// hole      10 x 10 pixels inside the model show what the left border of their row shows
//           (black or white where that is not visible)
// painted   10 x 10 pixels inside the model have the mean color of the pixels around them
// recolored what has the model's most frequent color, in steps of 32, has 0.6 of the light of its strongest
//           channel
// shifted   24 x 24 pixels are shifted by two pixels
// Of all places for one that is taken where it is least visible, but by visible_distance. Defects but
// `darker` that are less visible at every place (a plain surface painted over) are left out.
std::vector<PlantedDefect> plant_defects(const render::Frame& frame, const Coverage& model);

} // namespace vitrine::test
