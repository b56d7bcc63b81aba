#pragma once
// Scenes for the renderer's tests.

#include "loaders/scene/scene.hpp"
#include "vk_renderer/base/view.hpp"

namespace vitrine::test {

// A quad in the plane z, corners (+-size/2, +-size/2), facing +Z, of one color; no culling.
void add_quad(scene::Scene& scene, float z, float size, glm::vec4 linear_color,
              scene::AlphaMode mode = scene::AlphaMode::opaque);

// add_quad() of side 1 with a texture of side x side texels of one color.
scene::Scene painted_quad(std::uint32_t side, std::uint8_t red);

// One double-sided quad of side 1 in the plane z = 0 with UVs from its upper left corner and this material:
// it fills the center of an image from the front.
scene::Scene square(scene::Material material = {});

// square() with normals that vary from the reflection of the key light to other directions.
scene::Scene bent_square(const scene::Material& material);

// Without texture: rough, and smooth with transmission.
scene::Material rough_material(glm::vec3 color);
scene::Material glass_material(glm::vec3 color = glm::vec3(1.0f));

// Straight down on a floor of 2 x 2 meters; 128 x 128 pixels.
render::View from_above();

// From the front without perspective; 128 x 128 pixels.
render::View front_view(render::Overlays overlays = {});

// From the front in the reference lighting.
render::View reference_view(std::uint32_t size = 128);

// A tube of `rings` rings of `sides` vertices along +Y with `joints` joints; each vertex has `influences`
// neighboring joints with weights that sum to 1. Clip "wave" bends it, two seconds.
scene::Scene tube(std::uint32_t rings, std::uint32_t sides, std::uint32_t joints, std::uint32_t influences);

// `vertices` / 3 triangles, skinned with 4 influences of consecutive joints each, which are a tree: every
// joint has eight children. Skins have at most 35,000 joints, as indices have 16 bits. Clip "turn" rotates
// every joint, two seconds.
scene::Scene joint_tree(std::uint32_t joints, std::uint32_t vertices);

// A tube of 33,280 vertices in a grid, 128 around it, with UVs.
scene::Scene dense_tube();

// Gives a tube of `sides` sides UVs around it and upward, matching tangents, and a normal map that tilts the
// surface along them; the tube is otherwise unchanged.
void add_normal_map(scene::Scene& tube, std::uint32_t sides);

// The same tube as in MD5: every influence has its own position, and they differ slightly.
scene::Scene tube_with_positions();

// A skinned tube with morph targets, a mesh with vertex frames, a rigid mesh under a mirroring node,
// unskinned vertices in a skinned mesh and unused vertices.
scene::Scene mixture();

} // namespace vitrine::test
