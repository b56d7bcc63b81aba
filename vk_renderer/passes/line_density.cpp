#include "vk_renderer/passes/line_density.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace vitrine::render {
namespace {

constexpr double line_distance_px = 4.0;     // pixels between two lines
constexpr double filled_fraction = 0.5;      // part of its box that a model covers
constexpr double visible_sides_factor = 2.0; // half of the lines are behind the model
// Of the radius: minimum eye distance, because a closer eye looks past the center.
constexpr double min_eye_distance_ratio = 0.1;

double pixels_per_meter(const shared::ImageParams& params)
{
    const double height = params.viewport.y / params.center_ray.w;
    const double distance =
        std::max(glm::length(glm::dvec3(params.eye)), min_eye_distance_ratio * params.center.w);
    const double half = glm::length(glm::dvec3(params.ray_y)) * (params.eye.w > 0.5f ? distance : 1.0);
    return 0.5 * height / half;
}

} // namespace

double max_line_count(const shared::ImageParams& params, const glm::vec3& size)
{
    const glm::dvec3 pixels = glm::dvec3(size) * pixels_per_meter(params);
    // The mean projected area of a convex body is a quarter of its surface (Cauchy).
    const double covered = 0.5 * (pixels.x * pixels.y + pixels.y * pixels.z + pixels.z * pixels.x);
    const double line_count =
        visible_sides_factor * filled_fraction * covered / (line_distance_px * line_distance_px);
    // Thin models are limited by their length.
    return std::max({std::isfinite(line_count) ? line_count : 1.0,
                     std::max({pixels.x, pixels.y, pixels.z}) / line_distance_px, 1.0});
}

std::uint32_t decimation_shift_for(double limit, std::uint64_t count)
{
    const double ratio = static_cast<double>(count) / std::max(limit, 1.0);
    if (!(ratio >= 2.0)) return 0;
    return static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint64_t>(ratio))) - 1u;
}

} // namespace vitrine::render
