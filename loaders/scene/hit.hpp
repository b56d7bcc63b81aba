#pragma once
// The result of picking a point in a rendered image.

#include <cstdint>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// `triangle` counts the elements of the primitive: a line has two corners, a point has one.
struct Hit {
    std::uint32_t node = none; // the node that draws the mesh
    std::uint32_t mesh = none;
    std::uint32_t primitive = 0; // index in the mesh
    std::uint32_t triangle = 0;  // index of the triangle, line or point in the primitive
    std::uint32_t material = none;
    std::uint32_t joint = none;  // node of the joint with the largest weight at the point; none: not skinned
    float weight = 0.0f;         // weight of that joint, 0..1
    glm::vec3 barycentric{0.0f}; // barycentric coordinates, in the order of the triangle's indices
    glm::vec3 position{0.0f};    // scene space, meters
    // of the triangle, facing the viewer; for lines and points the direction to the viewer
    glm::vec3 normal{0.0f};
    glm::vec2 uv{0.0f};    // first UV set
    float distance = 0.0f; // from the ray's origin, meters
};

} // namespace vitrine::scene
