#include "tests/pictures/feature_parts.hpp"

#include <string>

#include "server/samples/procedural_texture.hpp"

namespace vitrine::test {

using samples::rgb;

std::uint32_t u32(std::size_t value)
{
    return static_cast<std::uint32_t>(value);
}

scene::Scene empty_scene()
{
    scene::Scene scene;
    scene.format = "glb";
    return scene;
}

std::uint32_t add_material(scene::Scene& scene, const scene::Material& material)
{
    scene.materials.push_back(material);
    scene.materials.back().name = "look" + std::to_string(scene.materials.size());
    return u32(scene.materials.size() - 1);
}

std::uint32_t add_color(scene::Scene& scene, glm::vec3 color)
{
    scene::Material material;
    material.base_color = samples::linear(color);
    return add_material(scene, material);
}

scene::Texture texture_of(scene::Scene& scene, scene::Image image)
{
    scene.images.push_back(std::move(image));
    scene::Texture texture;
    texture.image = u32(scene.images.size() - 1);
    return texture;
}

scene::Node& add_node(scene::Scene& scene, scene::Mesh mesh, glm::vec3 place)
{
    scene.meshes.push_back(std::move(mesh));
    auto& node = scene.nodes.emplace_back();
    node.name = "part" + std::to_string(scene.nodes.size());
    node.mesh = u32(scene.meshes.size() - 1);
    node.local.translation = place;
    return node;
}

scene::Mesh mesh_of(const samples::MeshShape& shape, std::uint32_t material)
{
    scene::Mesh mesh;
    mesh.name = "shape";
    mesh.positions = shape.positions;
    mesh.normals = shape.normals;
    mesh.uv0 = shape.uv;
    mesh.indices = shape.indices;
    mesh.primitives = {{.count = u32(mesh.indices.size()), .material = material}};
    return mesh;
}

scene::Node& add_shape(scene::Scene& scene, const samples::MeshShape& shape, std::uint32_t material,
                       glm::vec3 place)
{
    return add_node(scene, mesh_of(shape, material), place);
}

scene::Image checker(glm::vec3 a, glm::vec3 b)
{
    return samples::painted("checker", 64, 64, [=](glm::vec2 uv) {
        const auto cell = glm::ivec2(glm::floor(uv * 8.0f));
        return (cell.x + cell.y) % 2 == 0 ? a : b;
    });
}

scene::Image leaves()
{
    auto image = samples::painted("leaves", 128, 128, [](glm::vec2 uv) {
        return glm::mix(rgb(40, 92, 30), rgb(126, 170, 60), samples::noise(uv * 12.0f));
    });
    for (std::uint32_t i = 0; i < 128 * 128; ++i) {
        const glm::vec2 at = glm::vec2(glm::uvec2(i % 128 % 16, i / 128 % 16)) - 7.5f;
        image.pixels[4 * i + 3] = glm::length(at) < 5.5f ? 0 : 255;
    }
    return image;
}

} // namespace vitrine::test
