#pragma once
// A ray through a pixel and its intersections with triangles, and with points and lines of their width in the
// image. Pure functions.

#include <array>
#include <optional>

#include "loaders/scene/scene.hpp"
#include "vk_renderer/shaders/shared.h"

namespace vitrine::render {

// In the space of the meshes. For points and lines, the direction must be that of pixel_ray(): a step of
// `direction` increases the depth by one meter.
struct Ray {
    glm::vec3 origin{0.0f};
    glm::vec3 direction{0.0f, 0.0f, -1.0f}; // of any length, except for points and lines
};

// The distance from a ray within which points or lines cover its pixel; they have a width only in the image.
struct PickRadius {
    glm::vec3 ahead{0.0f, 0.0f, -1.0f}; // view direction of the camera, unit length
    float constant = 0.0f;              // meters perpendicular to `ahead`
    float per_meter = 0.0f;             // additional meters per meter of depth; 0 without perspective
};

// Barycentric weights of three corners, whose sum is 1, and the distance in lengths of the ray's direction.
struct Intersection {
    std::array<float, 3> barycentric;
    float t;
};

// Returns the ray through the center of pixel x, y (from the top left) of a width x height image.
Ray pixel_ray(const shared::ImageParams& params, std::uint32_t x, std::uint32_t y, std::uint32_t width,
              std::uint32_t height);

// Returns the radius of primitives `width` pixels wide in an image of that height.
PickRadius pick_radius_of(const shared::ImageParams& params, float width, std::uint32_t height);

// Returns the ray of the same image through another point.
Ray ray_toward(const Ray& ray, const PickRadius& radius, glm::vec3 point);

// Moeller and Trumbore, "Fast, Minimum Storage Ray-Triangle Intersection" (1997), in double precision.
std::optional<Intersection> intersect_triangle(const Ray& ray, glm::dvec3 a, glm::dvec3 b, glm::dvec3 c);

// Returns the point of the segment a b that is nearest to the ray in the image: weights of a and b; the third
// is 0.
std::optional<Intersection> intersect_segment(const Ray& ray, const PickRadius& radius, glm::dvec3 a,
                                              glm::dvec3 b);

std::optional<Intersection> intersect_point(const Ray& ray, const PickRadius& radius, glm::dvec3 point);

} // namespace vitrine::render
