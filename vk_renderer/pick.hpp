#pragma once
// What lies under a pixel: a ray through the skinned triangles and points of a frame. Pure: no device.

#include <optional>
#include <span>

#include "loaders/scene/hit.hpp"
#include "loaders/scene/skinning.hpp"
#include "vk_renderer/shaders/shared.h"

namespace vitrine::render {

// Scene space, measured from wherever the meshes are.
struct Ray {
    glm::vec3 origin{0.0f};
    glm::vec3 direction{0.0f, 0.0f, -1.0f}; // any length
};

// How far from a ray through a pixel points are seen there: they have a size in the picture alone.
struct PointReach {
    glm::vec3 ahead{0.0f, 0.0f, -1.0f}; // of the camera, unit length
    float everywhere = 0.0f;            // metres across `ahead`
    float each_metre = 0.0f;            // the same, of depth along it

    float at(float depth) const { return everywhere + depth * each_metre; }
};

// Through the middle of the pixel x, y (from the top left) of a picture of width x height.
Ray ray_through(const shared::FrameParams& params, std::uint32_t x, std::uint32_t y, std::uint32_t width,
                std::uint32_t height);

// Of points so many pixels wide in a picture of that height.
PointReach reach_of_points(const shared::FrameParams& params, float diameter, std::uint32_t height);

// The nearest triangle or point on the ray, whose direction is as ray_through() makes it. `palette` and
// `meshes` (one an instance): of the pose that is seen. Surfaces that are culled and texels below their alpha
// cutoff let the ray through, of a front and a back in one place the front is hit; lines are not.
std::optional<scene::Hit> pick(const scene::Scene& scene, std::span<const scene::Instance> instances,
                               std::span<const scene::PaletteEntry> palette,
                               std::span<const scene::SkinnedMesh> meshes, const Ray& ray,
                               const PointReach& reach);

} // namespace vitrine::render
