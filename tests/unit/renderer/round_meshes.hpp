#pragma once
// Round surfaces of many triangles.

#include <cstddef>
#include <cstdint>

#include "loaders/scene/scene.hpp"

namespace vitrine::render::test {

// Each 2 side^2 triangles, smooth (shared vertices) or each with corners of its own. The sphere has a seam
// and poles; it is wound inwards. The torus has neither.
scene::Mesh sphere(std::uint32_t side, bool shared);
scene::Mesh torus(std::uint32_t side, bool shared);

// So many nodes that show the mesh.
scene::Scene scene_of(scene::Mesh mesh, std::size_t instances = 1);

} // namespace vitrine::render::test
