#include "vk_renderer/passes/line_density.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace vitrine::render {
namespace {

constexpr double apart = 4.0;      // pixels between two lines
constexpr double filled = 0.5;     // part of its box that a model covers
constexpr double both_sides = 2.0; // half of the lines are behind the model
constexpr double nearest =
    0.1; // of the radius: minimum eye distance, because a closer eye looks past the center

double pixels_per_metre(const shared::FrameParams& params)
{
    const double height = params.viewport.y / params.ray.w;
    const double distance = std::max(glm::length(glm::dvec3(params.eye)), nearest * params.centre.w);
    const double half = glm::length(glm::dvec3(params.ray_y)) * (params.eye.w > 0.5f ? distance : 1.0);
    return 0.5 * height / half;
}

} // namespace

double max_line_count(const shared::FrameParams& params, const glm::vec3& size)
{
    const glm::dvec3 pixels = glm::dvec3(size) * pixels_per_metre(params);
    // The mean projected area of a convex body is a quarter of its surface (Cauchy).
    const double covered = 0.5 * (pixels.x * pixels.y + pixels.y * pixels.z + pixels.z * pixels.x);
    const double room = both_sides * filled * covered / (apart * apart);
    // Thin models are limited by their length.
    return std::max(
        {std::isfinite(room) ? room : 1.0, std::max({pixels.x, pixels.y, pixels.z}) / apart, 1.0});
}

std::uint32_t decimation_shift_for(double few, std::uint64_t count)
{
    const double many = static_cast<double>(count) / std::max(few, 1.0);
    if (!(many >= 2.0)) return 0;
    return static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint64_t>(many))) - 1u;
}

} // namespace vitrine::render
