#pragma once
// Flat normals for triangles of primitives without normals, for the base and each morph target (glTF 2.0,
// 3.7.2.1 and 3.7.2.2).

#include <cstdint>
#include <span>

#include "loaders/gltf/meshes/streams.hpp"

namespace vitrine::gltf {

// Assigns the normal of each triangle to its three vertices. Precondition: every three consecutive vertices
// are a triangle.
void compute_flat_normals(Streams& streams);

// Repairs normals of length zero: when all are zero they are removed; else each becomes the area-weighted
// mean of its triangles' normals. `triangles`: vertices, three each. Returns the number of zero normals.
std::size_t repair_normals(Streams& streams, std::span<const std::uint32_t> triangles);

// Returns a target for the vertices of `flat`, which was expanded from the target's primitive: the deltas of
// the corners, and the changes of the normals of moved triangles. A triangle that becomes degenerate keeps
// its normal.
DenseTarget flat_target(const Streams& flat, const DenseTarget& target,
                        std::span<const std::uint32_t> corners);

} // namespace vitrine::gltf
