#pragma once
// Finds the parts of a culled surface whose back faces are visible from behind. Pure functions.

#include <cstdint>
#include <span>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::render {

// By triangle of a run of `mesh`'s indices: whether it belongs to a connected component that is not a body
// with outward normals, that is, to a sheet or to a room seen from outside. No front face is visible behind
// such a back face. An open body has outward normals if most of its faces do. Runs of more than
// `max_components` triangles count as one component. Empty: no triangle does.
std::vector<bool> visible_backfaces(const scene::Mesh& mesh, std::span<const std::uint32_t> triangles,
                                    std::size_t max_components);

} // namespace vitrine::render
