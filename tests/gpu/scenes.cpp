#include "tests/gpu/scenes.hpp"

#include <cmath>
#include <numbers>

#include <glm/gtc/matrix_transform.hpp>

#include "tests/support/scenes.hpp"

namespace vitrine::test {
void add_quad(scene::Scene& scene, float z, float size, glm::vec4 color, scene::AlphaMode mode)
{
    scene::Mesh mesh;
    const float h = 0.5f * size;
    mesh.positions = {{-h, -h, z}, {h, -h, z}, {h, h, z}, {-h, h, z}};
    mesh.normals.assign(4, {0.0f, 0.0f, 1.0f});
    mesh.indices = {0, 1, 2, 0, 2, 3};
    mesh.primitives = {{.count = 6, .material = static_cast<std::uint32_t>(scene.materials.size())}};
    scene::Material material;
    material.base_color = color;
    material.alpha_mode = mode;
    material.double_sided = true;
    scene.materials.push_back(material);
    scene::Node node;
    node.name = "quad";
    node.mesh = static_cast<std::uint32_t>(scene.meshes.size());
    scene.meshes.push_back(mesh);
    scene.nodes.push_back(node);
}

scene::Scene painted_quad(std::uint32_t side, std::uint8_t red)
{
    scene::Scene scene;
    add_quad(scene, 0.0f, 1.0f, glm::vec4(1.0f));
    scene.materials[0].unlit = true;
    scene.materials[0].base_color_texture.image = 0;
    scene.meshes[0].uv0.assign(scene.meshes[0].positions.size(), glm::vec2(0.5f));
    auto& image = scene.images.emplace_back();
    image.width = image.height = side;
    image.pixels.assign(std::size_t{4} * side * side, 255);
    for (std::size_t i = 0; i < image.pixels.size(); i += 4)
        image.pixels[i] = red;
    return scene;
}

scene::Scene square(scene::Material material)
{
    scene::Scene scene;
    add_quad(scene, 0.0f, 1.0f, glm::vec4(1.0f));
    material.double_sided = true;
    scene.materials[0] = std::move(material);
    scene.meshes[0].uv0 = {{0.0f, 1.0f}, {1.0f, 1.0f}, {1.0f, 0.0f}, {0.0f, 0.0f}};
    return scene;
}

scene::Scene bent_square(const scene::Material& material)
{
    auto scene = square(material);
    for (std::size_t i = 0; i < 4; ++i) {
        const float yaw = glm::radians(scene.meshes[0].positions[i].x < 0.0f ? -60.0f : 20.0f);
        scene.meshes[0].normals[i] = glm::normalize(glm::vec3(std::sin(yaw), 0.5f, std::cos(yaw)));
    }
    return scene;
}

scene::Material rough_material(glm::vec3 color)
{
    scene::Material material;
    material.base_color = glm::vec4(color, 1.0f);
    material.roughness = 0.9f;
    return material;
}

scene::Material glass_material(glm::vec3 color)
{
    auto material = rough_material(color);
    material.roughness = 0.1f;
    material.extensions.transmission = 1.0f;
    return material;
}

render::View front_view(render::Overlays overlays)
{
    render::View view{.width = 128, .height = 128, .overlays = std::move(overlays)};
    view.camera.orthographic = true;
    return view;
}

render::View reference_view(std::uint32_t size)
{
    return {.width = size, .height = size, .light = render::LightingPreset::reference};
}

render::View from_above()
{
    render::View view{.width = 128, .height = 128};
    view.camera.pitch = 89.0f;
    view.camera.orthographic = true;
    view.framing = scene::Aabb{{-1.0f, 0.0f, -1.0f}, {1.0f, 1.0f, 1.0f}};
    return view;
}

} // namespace vitrine::test
