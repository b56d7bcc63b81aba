#pragma once
// Triangles of a primitive without normals: each is flat, at rest and moved by each morph target (glTF 2.0,
// 3.7.2.1 and 3.7.2.2).

#include <cstdint>
#include <span>

#include "loaders/gltf/meshes/streams.hpp"

namespace vitrine::gltf {

// The normal of each triangle on its three vertices.
// Precondition: three vertices in a row are a triangle.
void compute_flat_normals(Streams& streams);

// Normals without a length: where all are so, there are none; else each becomes the mean of its triangles' by
// their areas. `triangles`: vertices, three each. Returns how many of these had none.
std::size_t repair_normals(Streams& streams, std::span<const std::uint32_t> triangles);

// A target of the primitive that `flat` was expanded from, for the vertices of `flat`: the deltas of its
// corners, and how far the normals of the triangles that it moves turn. A triangle that it leaves without an
// area keeps its normal.
DenseTarget flat_target(const Streams& flat, const DenseTarget& target,
                        std::span<const std::uint32_t> corners);

} // namespace vitrine::gltf
