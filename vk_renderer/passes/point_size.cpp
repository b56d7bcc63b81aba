#include "vk_renderer/passes/point_size.hpp"

#include <algorithm>
#include <cmath>

namespace vitrine::render {
namespace {

// Relative to the smaller side of the image. Half of it is less than the margin around a model, so discs are
// not cut off.
constexpr float max_disc_fraction = 12.0f / 512.0f;
// Relative to the smaller side, divided by the square root of the number of points: half of their distance if
// the model fills a third of the image with two layers.
constexpr float spacing_fraction = 0.2f;
constexpr float min_disc_px = 2.8f; // covers as many pixels as the smallest square

} // namespace

float point_diameter(std::uint64_t count, std::uint32_t width, std::uint32_t height)
{
    if (count == 0) return 0.0f;
    const auto side = static_cast<float>(std::min(width, height));
    const float spacing = spacing_fraction / std::sqrt(static_cast<float>(count));
    const float disc = side * std::min(max_disc_fraction, spacing);
    return disc > min_disc_px ? disc : min_disc_diameter;
}

float point_width(float diameter, float samples_along)
{
    return diameter > min_disc_diameter ? diameter + 1.0f / samples_along : diameter;
}

} // namespace vitrine::render
