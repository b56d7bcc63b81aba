#pragma once
// Reduces a scene for view selection: few triangles with the same poses and motion as the original. Pure
// function.

#include <cstddef>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Keeps nodes and skins. Of the meshes that are drawn, keeps every nth triangle, line and point, about
// `elements` over all instances, plus the outermost elements in 14 directions in the static pose. Materials
// lose their textures; clips and images are removed, so poses must be sampled with the original.
// Precondition: validate().
Scene decimated(const Scene& scene, std::size_t elements);

} // namespace vitrine::scene
