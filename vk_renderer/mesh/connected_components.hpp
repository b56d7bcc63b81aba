#pragma once
// Triangles in connected parts. Pure.

#include <cstdint>
#include <span>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::render {

struct ConnectedComponents {
    std::vector<std::uint32_t> of; // by triangle: its part, numbered by their first triangles
    std::uint32_t count = 0;
};

// Triangles (vertices of the mesh) are of one part where corners of theirs lie in one place of the bind pose.
ConnectedComponents connected_components(const scene::Mesh& mesh, std::span<const std::uint32_t> triangles);

// The same where they share a vertex: what only touches comes apart.
ConnectedComponents components_by_vertex(std::span<const std::uint32_t> triangles);

} // namespace vitrine::render
