#pragma once
// The part of pack() that creates the draws: one DrawItem per instance and primitive, in draw order.

#include "vk_renderer/scene/pack_scene.hpp"

namespace vitrine::render {

// Whether the material's normal map uses the mesh's tangents.
bool has_mapped_tangents(const scene::Scene& scene, const scene::Mesh& mesh,
                         const scene::Primitive& primitive);

// Fills `draws` and `indices`. Precondition: `out` has the instances with their first vertices.
void add_draws(const scene::Scene& scene, PackedScene& out);

} // namespace vitrine::render
