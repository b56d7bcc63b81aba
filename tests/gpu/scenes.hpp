#pragma once
// Scenes that only the renderer's tests need.

#include "loaders/scene/scene.hpp"
#include "vk_renderer/base/view.hpp"

namespace vitrine::test {

// A quad in the plane z, corners (+-size/2, +-size/2), facing +Z, of one color; no culling.
void add_quad(scene::Scene& scene, float z, float size, glm::vec4 linear_color,
              scene::AlphaMode mode = scene::AlphaMode::opaque);

// One quad of side 1 in the plane z = 0 with UVs from its upper left corner and this material, seen from both
// sides: it fills the middle of a picture from the front.
scene::Scene square(scene::Material material = {});

// Straight down on a floor of 2 x 2 metres; 128 x 128 pixels.
render::View from_above();

// From the front in the reference light.
render::View reference_view(std::uint32_t size = 128);

// A tube of `rings` rings of `sides` vertices along +Y, `joints` joints; each vertex has `influences`
// neighbouring joints with weights that sum to 1. Clip "wave" bends it, two seconds.
scene::Scene tube(std::uint32_t rings, std::uint32_t sides, std::uint32_t joints, std::uint32_t influences);

// A tube of 33,280 vertices in a grid, 128 around it, with UVs.
scene::Scene dense_tube();

// Gives a tube of so many sides UVs around it and upwards, tangents to match, and a normal map that tilts the
// surface along them; the tube stays as it is otherwise.
void add_normal_map(scene::Scene& tube, std::uint32_t sides);

// The same tube as MD5 says it: every influence with its own position, not quite agreeing.
scene::Scene tube_with_positions();

// A skinned tube with morph targets, a vertex-frame mesh, a rigid one under a mirroring node, unskinned
// vertices in a skinned mesh and unused vertices.
scene::Scene mixture();

} // namespace vitrine::test
