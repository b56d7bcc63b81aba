#pragma once
// pack()'s share of what is drawn: one DrawItem an instance and primitive, in the order of drawing.

#include "vk_renderer/scene/pack_scene.hpp"

namespace vitrine::render {

// The normal map of a material lies in tangents that the mesh has.
bool has_mapped_tangents(const scene::Scene& scene, const scene::Mesh& mesh,
                         const scene::Primitive& primitive);

// Fills `draws` and `indices`. Precondition: the instances stand in `out` with their first vertices.
void add_draws(const scene::Scene& scene, PackedScene& out);

} // namespace vitrine::render
