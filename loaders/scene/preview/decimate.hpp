#pragma once
// A scene with few triangles that poses and moves as its original does: what chooses a view looks at it.
// Pure.

#include <cstddef>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Nodes and skins as they are; of the meshes that are drawn every so-many-th triangle, line and point, about
// `elements` over all instances, and those that reach farthest in 14 directions at rest; materials without
// their textures. No clips and no images: sample poses with the original. Precondition: validate().
Scene decimated(const Scene& scene, std::size_t elements);

} // namespace vitrine::scene
