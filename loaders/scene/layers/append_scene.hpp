#pragma once
// Copies the parts of one scene into another.

#include <cstdint>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// The indices that the first part of each kind has in the scene that it was appended to.
struct AppendedParts {
    std::uint32_t nodes = 0, meshes = 0, skins = 0, materials = 0, images = 0;
};

// Appends the nodes, meshes, skins, materials and images of `other`, so that all that was there keeps its
// index. Nodes without a parent get the parent `below` (none: they stay roots). Roles of humanoids, material
// variants and clips are left out. `earlier`: where the same scene was appended before; its meshes, materials
// and images are used again.
AppendedParts append_scene(Scene& scene, const Scene& other, std::uint32_t below,
                           const AppendedParts* earlier = nullptr);

} // namespace vitrine::scene
