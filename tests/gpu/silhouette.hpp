#pragma once
// Where a model must and may be visible in an image of its static pose, computed on the CPU from its
// triangles without the renderer's camera, culling or rasterization.

#include <cstdint>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::test {

// Pixels of a square image, row by row from the top.
struct Silhouette {
    std::uint32_t edge = 0;
    std::vector<bool> must; // an opaque triangle that faces the camera covers the pixel and its neighbors
    std::vector<bool> may;  // any element is near it
};

// The view "yaw,pitch", framed as documented. Precondition: the scene draws something and its bounds are
// finite.
Silhouette silhouette_of(const scene::Scene& scene, float yaw, float pitch, std::uint32_t edge);

} // namespace vitrine::test
