#pragma once
// Small valid scenes with results that can be computed by hand.

#include <cstdint>

#include "loaders/scene/scene.hpp"

namespace vitrine::test {

// A primitive of all of the mesh's indices, as triangles with one material.
inline void add_whole_primitive(scene::Mesh& mesh, std::uint32_t material = scene::none)
{
    mesh.primitives.push_back({.topology = scene::Topology::triangles,
                               .first = 0,
                               .count = static_cast<std::uint32_t>(mesh.indices.size()),
                               .material = material});
}

// A square bar along +Y, 0.2 thick, from y = 0 to 2, rings at y = 0, 1, 2 (12 vertices; 4 r + corner), closed
// by caps. Nodes: "lower" at the origin, its child "upper" at (0, 1, 0), and "bar", which draws the mesh with
// the skin {lower, upper}. Ring 0 follows lower, ring 2 upper, ring 1 half of each. The clip "bend" rotates
// upper about +Z from 0 to 90 degrees within one second.
scene::Scene skinned_bar();

// A unit quad in z = 0 with corners (+-0.5, +-0.5), facing +Z. Target "raise" lifts the two upper corners by
// (0, 1, 0), target "push" all by (0, 0, 2). Clip "morph": linear weights (0, 0) at 0 s, (1, 0.5) at 1 s.
scene::Scene morphing_quad();

// A cube of edge 1 around the origin, 24 vertices, UVs of a whole image on each side, tangents, one material
// with a 2 x 2 texture: red, green / blue, white.
scene::Scene textured_cube();

// Like an MD2 model: a triangle (0,0,0) (1,0,0) (0,1,0) with `frames` frames; frame f is the first one
// translated by (f, 0, 0). Clip "run": vertex_frame from 0 to frames - 1 at 10 frames per second.
scene::Scene vertex_frame_triangle(std::uint32_t frames = 4);

// A valid scene that sets every field of the model to a value other than its default.
scene::Scene everything();
// All members differ from their defaults; textures use these two images.
scene::MaterialExtensions odd_extensions(std::uint32_t colors, std::uint32_t numbers);

} // namespace vitrine::test
