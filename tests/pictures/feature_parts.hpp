#pragma once
// Building blocks for the scenes of features.cpp and material_features.cpp.

#include "loaders/scene/scene.hpp"
#include "server/samples/primitive_shapes.hpp"

namespace vitrine::test {

std::uint32_t u32(std::size_t value);

// With a format that culls back faces.
scene::Scene empty_scene();

std::uint32_t add_material(scene::Scene& scene, const scene::Material& material);
std::uint32_t add_color(scene::Scene& scene, glm::vec3 color);
scene::Texture texture_of(scene::Scene& scene, scene::Image image);
scene::Node& add_node(scene::Scene& scene, scene::Mesh mesh, glm::vec3 place = glm::vec3(0.0f));
scene::Mesh mesh_of(const samples::MeshShape& shape, std::uint32_t material);
scene::Node& add_shape(scene::Scene& scene, const samples::MeshShape& shape, std::uint32_t material,
                       glm::vec3 place = glm::vec3(0.0f));

scene::Image checker(glm::vec3 a, glm::vec3 b);
// An image with round holes: alpha is 255 between them.
scene::Image leaves();

} // namespace vitrine::test
