#pragma once
// Curved surfaces of many triangles.

#include <cstddef>
#include <cstdint>

#include "loaders/scene/scene.hpp"

namespace vitrine::render::test {

// 2 side^2 triangles each, smooth (shared vertices) or with separate corners. The sphere has a seam and poles
// and inward winding. The torus has neither seam nor poles.
scene::Mesh sphere(std::uint32_t side, bool shared);
scene::Mesh torus(std::uint32_t side, bool shared);

// A scene with this many nodes that draw the mesh.
scene::Scene scene_of(scene::Mesh mesh, std::size_t instances = 1);

} // namespace vitrine::render::test
