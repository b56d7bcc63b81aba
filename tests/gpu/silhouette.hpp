#pragma once
// Where a model must and may be seen in a picture of its static pose, worked out on the CPU from its
// triangles: without the renderer's camera, culling or raster.

#include <cstdint>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::test {

// Of the pixels of a square picture, row by row from the top.
struct Silhouette {
    std::uint32_t edge = 0;
    std::vector<bool> must; // an opaque triangle that faces the camera covers it and its neighbours
    std::vector<bool> may;  // any element comes near it
};

// The view "yaw,pitch", framed as the renderer promises. Precondition: the scene draws something, its bounds
// are finite.
Silhouette silhouette_of(const scene::Scene& scene, float yaw, float pitch, std::uint32_t edge);

} // namespace vitrine::test
