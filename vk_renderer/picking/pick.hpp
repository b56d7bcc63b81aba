#pragma once
// What lies under a pixel: a ray through the skinned triangles, lines and points of a frame. Pure: no device.

#include <optional>
#include <span>

#include "loaders/scene/hit.hpp"
#include "loaders/scene/skinning/skinning.hpp"
#include "vk_renderer/picking/ray.hpp"

namespace vitrine::render {

// A pose as a picture shows it; all is borrowed.
struct PickScene {
    const scene::Scene& scene;
    std::span<const scene::Instance> instances;
    std::span<const scene::PaletteEntry> palette;
    std::span<const scene::SkinnedMesh> meshes; // one an instance
    PickRadius points;
    PickRadius lines;
};

// The nearest triangle or point on the ray, whose direction is as pixel_ray() makes it, or a line that is
// nearer or beside it. Surfaces that are culled and texels below their alpha cutoff let the ray through, of a
// front and a back in one place the front is hit, of a line and the surface it lies on the line.
std::optional<scene::Hit> pick(const PickScene& shown, const Ray& ray);

} // namespace vitrine::render
