#pragma once
// Connected components of triangles. Pure functions.

#include <cstdint>
#include <span>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::render {

struct ConnectedComponents {
    std::vector<std::uint32_t> of; // component of each triangle, numbered by first triangle
    std::uint32_t count = 0;
};

// Triangles (vertices of the mesh) are connected if corners of them coincide in the bind pose.
ConnectedComponents connected_components(const scene::Mesh& mesh, std::span<const std::uint32_t> triangles);

// The same for shared vertices: triangles whose corners only coincide are not connected.
ConnectedComponents components_by_vertex(std::span<const std::uint32_t> triangles);

} // namespace vitrine::render
