#pragma once
// What a person points at in a picture.

#include <cstdint>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// The triangle of a line has two corners, that of a point one.
struct Hit {
    std::uint32_t node = none; // that draws the mesh
    std::uint32_t mesh = none;
    std::uint32_t primitive = 0; // of the mesh
    std::uint32_t triangle = 0;  // of the primitive, or which of its lines or points
    std::uint32_t material = none;
    std::uint32_t joint = none;  // node of the joint that weighs most there; none: not skinned
    float weight = 0.0f;         // of that joint, 0..1
    glm::vec3 barycentric{0.0f}; // shares of the triangle's corners, in the order of its indices
    glm::vec3 position{0.0f};    // scene space, metres
    glm::vec3 normal{0.0f};      // of the triangle, toward the viewer; of lines and points the way to him
    glm::vec2 uv{0.0f};          // first set
    float distance = 0.0f;       // from the ray's origin, metres
};

} // namespace vitrine::scene
