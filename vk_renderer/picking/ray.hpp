#pragma once
// A ray through a pixel and what it meets: triangles, and points and lines, which are as wide as the picture
// draws them. Pure: no device, no scene.

#include <array>
#include <optional>

#include "loaders/scene/scene.hpp"
#include "vk_renderer/shaders/shared.h"

namespace vitrine::render {

// Scene space, measured from wherever the meshes are. What shows points and lines is as pixel_ray() makes
// it: a step along `direction` goes one metre deeper.
struct Ray {
    glm::vec3 origin{0.0f};
    glm::vec3 direction{0.0f, 0.0f, -1.0f}; // any length but for points and lines
};

// How far from a ray points or lines are seen in its pixel: they have a width in the picture alone.
struct PickRadius {
    glm::vec3 ahead{0.0f, 0.0f, -1.0f}; // of the camera, unit length
    float everywhere = 0.0f;            // metres across `ahead`
    float per_metre = 0.0f;             // the same, of depth along it; 0 without perspective
};

// Shares of three corners, whose sum is 1, and how far along the ray's direction.
struct Intersection {
    std::array<float, 3> share;
    float t;
};

// Through the middle of the pixel x, y (from the top left) of a picture of width x height.
Ray pixel_ray(const shared::FrameParams& params, std::uint32_t x, std::uint32_t y, std::uint32_t width,
              std::uint32_t height);

// Of what is so many pixels wide in a picture of that height.
PickRadius pick_radius_of(const shared::FrameParams& params, float width, std::uint32_t height);

// The ray of the same picture through another point.
Ray ray_toward(const Ray& ray, const PickRadius& reach, glm::vec3 point);

// Moeller and Trumbore, "Fast, Minimum Storage Ray-Triangle Intersection" (1997), in double precision.
std::optional<Intersection> intersect_triangle(const Ray& ray, glm::dvec3 a, glm::dvec3 b, glm::dvec3 c);

// Where of the line from a to b the picture is nearest to the ray: shares of a and b, the third is 0.
std::optional<Intersection> intersect_segment(const Ray& ray, const PickRadius& reach, glm::dvec3 a,
                                              glm::dvec3 b);

std::optional<Intersection> intersect_point(const Ray& ray, const PickRadius& reach, glm::dvec3 point);

} // namespace vitrine::render
