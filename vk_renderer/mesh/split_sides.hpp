#pragma once
// Separates the two sides of surfaces that are modeled back to back. Pure functions.

#include <cstdint>
#include <span>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::render {

struct Sides {
    std::vector<std::uint32_t> one, other; // three vertices of the mesh per triangle
};

// Triangles that share vertices stay together; a part and its back, which has other vertices at the same
// positions, are separated. `triangles`: vertices of the mesh, three each.
Sides split_sides(const scene::Mesh& mesh, std::span<const std::uint32_t> triangles);

} // namespace vitrine::render
