#pragma once
// The two sides of surfaces that are painted on both. Pure.

#include <cstdint>
#include <span>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::render {

struct Sides {
    std::vector<std::uint32_t> one, other; // triangles, three vertices of the mesh each
};

// Parts that share vertices stay together, and a part and its back, whose vertices are others in the same
// places, come apart. `triangles`: vertices of the mesh, three each.
Sides split_sides(const scene::Mesh& mesh, std::span<const std::uint32_t> triangles);

} // namespace vitrine::render
