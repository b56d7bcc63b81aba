#include "vk_renderer/passes/point_size.hpp"

#include <algorithm>
#include <cmath>

namespace vitrine::render {
namespace {

// Of the smaller side of the picture. Half of it is less than what is left free around a model: discs are
// whole.
constexpr float largest = 12.0f / 512.0f;
// The same, of the square root of their number: half of how far apart they are where a model of them fills a
// third of the picture's area and one looks through two layers of it.
constexpr float room = 0.2f;
constexpr float min_disc = 2.8f; // covers what the smallest square does

} // namespace

float point_diameter(std::uint64_t count, std::uint32_t width, std::uint32_t height)
{
    if (count == 0) return 0.0f;
    const auto side = static_cast<float>(std::min(width, height));
    const float apart = room / std::sqrt(static_cast<float>(count));
    const float disc = side * std::min(largest, apart);
    return disc > min_disc ? disc : min_disc_diameter;
}

float point_width(float diameter, float samples_along)
{
    return diameter > min_disc_diameter ? diameter + 1.0f / samples_along : diameter;
}

} // namespace vitrine::render
