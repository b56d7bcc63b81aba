#pragma once
// The connected parts of a surface, which are ordered by their distance where it is blended. Pure.

#include <span>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::render {

// Puts the triangles of a run of `mesh`'s indices together by the part of the surface that they belong to,
// each in the order in which it had them, and returns the indices of each part, in the order of their first
// triangles. Vertices at one place are one. A run of more than `most` parts, or of millions of triangles,
// stays as it is: one part.
std::vector<std::uint32_t> group_islands(const scene::Mesh& mesh, std::span<std::uint32_t> triangles,
                                         std::size_t most);

} // namespace vitrine::render
