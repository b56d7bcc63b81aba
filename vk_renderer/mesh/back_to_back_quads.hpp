#pragma once
// Finds quads that a mesh contains once per side, split into triangles along different diagonals. Pure
// functions.

#include <cstdint>
#include <span>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::render {

// Returns which of `triangles` (positions in mesh.indices, each with three distinct points) are halves of
// such quads, unordered. `signature`: the result of signatures(mesh). Edges shared by more than four of the
// triangles are ignored.
std::vector<std::uint32_t> back_to_back_quads(const scene::Mesh& mesh,
                                              std::span<const std::uint64_t> signature,
                                              std::span<const std::uint32_t> triangles);

} // namespace vitrine::render
