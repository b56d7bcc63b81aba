#pragma once
// Quads that a mesh has once for each side, but cut into triangles along different diagonals. Pure.

#include <cstdint>
#include <span>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::render {

// Which of `triangles` (where they begin in mesh.indices, each with three points of its own) are halves of
// such quads, in no order. `signature`: of signatures(mesh). Edges at which more than four of them meet are
// passed over.
std::vector<std::uint32_t> back_to_back_quads(const scene::Mesh& mesh,
                                              std::span<const std::uint64_t> signature,
                                              std::span<const std::uint32_t> triangles);

} // namespace vitrine::render
