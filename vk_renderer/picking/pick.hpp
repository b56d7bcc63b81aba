#pragma once
// Finds what is visible at a pixel: casts a ray at the skinned triangles, lines and points of a frame. Pure
// functions.

#include <optional>
#include <span>

#include "loaders/scene/hit.hpp"
#include "loaders/scene/skinning/skinning.hpp"
#include "vk_renderer/picking/ray.hpp"

namespace vitrine::render {

// A pose as rendered; all members are borrowed.
struct PickScene {
    const scene::Scene& scene;
    std::span<const scene::Instance> instances;
    std::span<const scene::PaletteEntry> palette;
    std::span<const scene::SkinnedMesh> meshes; // one per instance
    PickRadius points;
    PickRadius lines;
};

// Returns the nearest triangle or point on the ray (made by pixel_ray()), or a line that is nearer or at the
// same place. Culled surfaces and texels below their alpha cutoff do not block the ray; of coincident front
// and back faces the front is hit, and of a line on a surface the line.
std::optional<scene::Hit> pick(const PickScene& shown, const Ray& ray);

} // namespace vitrine::render
