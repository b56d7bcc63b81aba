#include "vk_renderer/picking/ray.hpp"

#include <algorithm>
#include <cmath>

namespace vitrine::render {
namespace {

// A point in the coordinates of a camera that looks along the ray.
struct CameraPoint {
    double depth;      // meters from the ray's origin along `ahead`
    glm::dvec3 offset; // offset from the ray perpendicular to `ahead`; like depth, linear along a line
};

CameraPoint to_camera(const Ray& ray, const PickRadius& radius, glm::dvec3 point)
{
    const glm::dvec3 toward = point - glm::dvec3(ray.origin);
    const double depth = glm::dot(toward, glm::dvec3(radius.ahead));
    return {depth, toward - depth * glm::dvec3(ray.direction)};
}

double width_at(const PickRadius& radius, double depth)
{
    return static_cast<double>(radius.constant) + depth * static_cast<double>(radius.per_meter);
}

// Returns the fraction of the segment a b that is behind the eye; 0 if a is in front of it.
double fraction_behind_eye(double depth_a, double depth_b)
{
    // Of the deeper end: a point at the eye has no position in the image.
    constexpr double min_depth_ratio = 1e-6;
    const double min_depth = min_depth_ratio * std::max(depth_a, depth_b);
    return depth_a < min_depth ? (min_depth - depth_a) / (depth_b - depth_a) : 0.0;
}

// Returns the fraction of the segment a b at which it is nearest to the origin.
double nearest_fraction(glm::dvec3 a, glm::dvec3 b)
{
    const glm::dvec3 segment = b - a;
    const double square = glm::dot(segment, segment);
    return square > 0.0 ? std::clamp(-glm::dot(a, segment) / square, 0.0, 1.0) : 0.0;
}

} // namespace

Ray pixel_ray(const shared::ImageParams& params, std::uint32_t x, std::uint32_t y, std::uint32_t width,
              std::uint32_t height)
{
    const float clip_x = (static_cast<float>(x) + 0.5f) / static_cast<float>(width) * 2.0f - 1.0f;
    const float clip_y = (static_cast<float>(y) + 0.5f) / static_cast<float>(height) * 2.0f - 1.0f;
    const glm::vec3 across = clip_x * glm::vec3(params.ray_x) + clip_y * glm::vec3(params.ray_y);
    const glm::vec3 eye = glm::vec3(params.center) + glm::vec3(params.eye);
    const glm::vec3 ahead(params.center_ray);
    const bool perspective = params.eye.w > 0.5f;
    if (perspective) return {eye, ahead + across};
    return {eye + across, ahead};
}

PickRadius pick_radius_of(const shared::ImageParams& params, float width, std::uint32_t height)
{
    const bool perspective = params.eye.w > 0.5f;
    const float pixel = 2.0f * glm::length(glm::vec3(params.ray_y)) / static_cast<float>(height);
    const float radius = 0.5f * width * pixel;
    return {.ahead = glm::vec3(params.center_ray),
            .constant = perspective ? 0.0f : radius,
            .per_meter = perspective ? radius : 0.0f};
}

Ray ray_toward(const Ray& ray, const PickRadius& radius, glm::vec3 point)
{
    const auto in_camera = to_camera(ray, radius, point);
    const bool perspective = radius.per_meter > 0.0f;
    if (perspective) return {ray.origin, ray.direction + glm::vec3(in_camera.offset / in_camera.depth)};
    return {ray.origin + glm::vec3(in_camera.offset), ray.direction};
}

std::optional<Intersection> intersect_triangle(const Ray& ray, glm::dvec3 a, glm::dvec3 b, glm::dvec3 c)
{
    const glm::dvec3 direction(ray.direction), ab = b - a, ac = c - a;
    const glm::dvec3 p = glm::cross(direction, ac);
    const double determinant = glm::dot(ab, p);
    if (!(std::abs(determinant) > 0.0)) return std::nullopt;
    const glm::dvec3 from = glm::dvec3(ray.origin) - a;
    const double u = glm::dot(from, p) / determinant;
    if (!(u >= 0.0 && u <= 1.0)) return std::nullopt;
    const glm::dvec3 q = glm::cross(from, ab);
    const double v = glm::dot(direction, q) / determinant;
    const double t = glm::dot(ac, q) / determinant;
    if (!(v >= 0.0 && u + v <= 1.0 && t > 0.0)) return std::nullopt;
    return Intersection{{static_cast<float>(1.0 - u - v), static_cast<float>(u), static_cast<float>(v)},
                        static_cast<float>(t)};
}

std::optional<Intersection> intersect_segment(const Ray& ray, const PickRadius& radius, glm::dvec3 a,
                                              glm::dvec3 b)
{
    const auto camera_a = to_camera(ray, radius, a), camera_b = to_camera(ray, radius, b);
    if (!(std::max(camera_a.depth, camera_b.depth) > 0.0)) return std::nullopt;
    const double first = fraction_behind_eye(camera_a.depth, camera_b.depth);
    const double last = 1.0 - fraction_behind_eye(camera_b.depth, camera_a.depth);
    const auto depth_at = [&](double fraction) { return glm::mix(camera_a.depth, camera_b.depth, fraction); };
    const auto offset_at = [&](double fraction) {
        return glm::mix(camera_a.offset, camera_b.offset, fraction);
    };

    // In image space, where the radius is 1 at every depth.
    const double width_a = width_at(radius, depth_at(first)), width_b = width_at(radius, depth_at(last));
    const auto from = offset_at(first) / width_a, to = offset_at(last) / width_b;
    const double image_fraction = nearest_fraction(from, to);
    if (!(glm::length(glm::mix(from, to, image_fraction)) <= 1.0)) return std::nullopt;

    // Depth is linear along the segment, not along its projection.
    const double weight_a = (1.0 - image_fraction) / width_a, weight_b = image_fraction / width_b;
    const double fraction = glm::mix(first, last, weight_b / (weight_a + weight_b));
    return Intersection{{static_cast<float>(1.0 - fraction), static_cast<float>(fraction), 0.0f},
                        static_cast<float>(depth_at(fraction))};
}

std::optional<Intersection> intersect_point(const Ray& ray, const PickRadius& radius, glm::dvec3 point)
{
    const auto in_camera = to_camera(ray, radius, point);
    if (!(in_camera.depth > 0.0)) return std::nullopt;
    if (!(glm::length(in_camera.offset) <= width_at(radius, in_camera.depth))) return std::nullopt;
    return Intersection{{1.0f, 0.0f, 0.0f}, static_cast<float>(in_camera.depth)};
}

} // namespace vitrine::render
