#pragma once
// Groups the triangles of a surface by connected component; components are sorted by distance when the
// surface is blended. Pure functions.

#include <span>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::render {

// Reorders the triangles of a run of `mesh`'s indices by connected component, preserving the order within
// each, and returns the index count of each component in the order of their first triangles. Vertices at the
// same position are connected. A run of more than `max_components` components, or of millions of triangles,
// is left unchanged as one component.
std::vector<std::uint32_t> group_islands(const scene::Mesh& mesh, std::span<std::uint32_t> triangles,
                                         std::size_t max_components);

} // namespace vitrine::render
