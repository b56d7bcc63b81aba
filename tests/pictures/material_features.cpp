#include "tests/pictures/material_features.hpp"

#include "loaders/scene/geometry/geometry.hpp"
#include "server/samples/primitive_shapes.hpp"
#include "server/samples/procedural_texture.hpp"
#include "tests/pictures/feature_parts.hpp"

namespace vitrine::test {
namespace {

using samples::rgb;

scene::Material glass(glm::vec3 color, float alpha)
{
    scene::Material material;
    material.base_color = glm::vec4(glm::vec3(samples::linear(color)), alpha);
    material.roughness = 0.1f;
    material.alpha_mode = scene::AlphaMode::blend;
    material.double_sided = true;
    return material;
}

} // namespace

scene::Scene make_mask()
{
    auto scene = empty_scene();
    scene::Material material;
    material.base_color_texture = texture_of(scene, leaves());
    material.alpha_mode = scene::AlphaMode::mask;
    material.double_sided = true;
    add_shape(scene, samples::sphere(0.5f, 40), add_material(scene, material), {0.0f, 0.6f, 0.0f});
    return scene;
}

scene::Scene make_glass_sphere()
{
    auto scene = empty_scene();
    add_shape(scene, samples::sphere(0.5f, 48), add_material(scene, glass(rgb(90, 150, 220), 0.4f)),
              {0.0f, 0.5f, 0.0f});
    add_shape(scene, samples::rounded_box(glm::vec3(0.36f), 0.05f), add_color(scene, rgb(200, 60, 40)),
              {0.0f, 0.5f, 0.0f});
    return scene;
}

// One connected surface; lines of sight cross up to four layers.
scene::Scene make_glass_bowl()
{
    auto scene = empty_scene();
    constexpr std::array<glm::vec2, 9> profile{{{0.0f, 0.0f},
                                                {0.3f, 0.02f},
                                                {0.46f, 0.2f},
                                                {0.5f, 0.45f},
                                                {0.48f, 0.46f},
                                                {0.42f, 0.45f},
                                                {0.38f, 0.24f},
                                                {0.24f, 0.1f},
                                                {0.0f, 0.08f}}};
    add_shape(scene, samples::lathe(profile, 48), add_material(scene, glass(rgb(60, 160, 90), 0.5f)));
    return scene;
}

// Panes behind one another, connected by a strip, the nearest first in the file.
scene::Scene make_panes()
{
    auto scene = empty_scene();
    scene::Mesh mesh;
    mesh.name = "panes";
    for (int pane = 0; pane < 3; ++pane) {
        const float z = 0.3f - 0.3f * static_cast<float>(pane), x = 0.22f * static_cast<float>(pane - 1);
        glm::vec4 color(0.05f, 0.05f, 0.05f, 0.6f);
        color[pane] = 0.8f;
        const auto first = u32(mesh.positions.size());
        for (const glm::vec2 corner : {glm::vec2(-0.3f, 0.0f), {0.3f, 0.0f}, {0.3f, 0.6f}, {-0.3f, 0.6f}}) {
            mesh.positions.emplace_back(corner.x + x, corner.y, z);
            mesh.colors.push_back(color);
        }
        for (const auto i : {0u, 1u, 2u, 0u, 2u, 3u})
            mesh.indices.push_back(first + i);
        if (pane > 0) // the strip
            for (const auto i : {first - 4, first - 4, first})
                mesh.indices.push_back(i);
    }
    mesh.normals.assign(mesh.positions.size(), {0.0f, 0.0f, 1.0f});
    scene::Material material;
    material.alpha_mode = scene::AlphaMode::blend;
    material.double_sided = true;
    mesh.primitives = {{.count = u32(mesh.indices.size()), .material = add_material(scene, material)}};
    add_node(scene, std::move(mesh));
    return scene;
}

// Roughness from high to low, and metallic from 0 to 1.
scene::Scene make_metals()
{
    auto scene = empty_scene();
    const auto ball = samples::sphere(0.16f, 32);
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 4; ++column) {
            scene::Material material;
            material.base_color = samples::linear(rgb(210, 160, 90));
            material.metallic = 0.5f * static_cast<float>(row);
            material.roughness = static_cast<float>(column) / 3.0f;
            add_shape(scene, ball, add_material(scene, material),
                      {0.36f * static_cast<float>(column), 0.2f + 0.36f * static_cast<float>(row), 0.0f});
        }
    return scene;
}

// Clearcoat over paint and over metal, velvet, a mirror that is not metal; green and thick glass in front of
// two bars.
scene::Scene make_material_extensions()
{
    auto scene = empty_scene();
    const auto ball = samples::sphere(0.16f, 32);
    int placed = 0;
    const auto add = [&](glm::vec3 color, float roughness, auto change) {
        scene::Material material;
        material.base_color = glm::vec4(color, 1.0f);
        material.roughness = roughness;
        change(material);
        const auto column = placed % 3, row = placed++ / 3;
        add_shape(scene, ball, add_material(scene, material),
                  {0.36f * static_cast<float>(column), 0.2f + 0.36f * static_cast<float>(row), 0.0f});
    };
    add({0.7f, 0.02f, 0.02f}, 0.6f, [](scene::Material& m) { m.extensions.clearcoat = 1.0f; });
    add({0.02f, 0.1f, 0.6f}, 0.5f, [](scene::Material& m) {
        m.metallic = 1.0f;
        m.extensions.clearcoat = 1.0f;
    });
    add({0.15f, 0.01f, 0.03f}, 0.9f, [](scene::Material& m) {
        m.extensions.sheen = {1.0f, 0.4f, 0.5f};
        m.extensions.sheen_roughness = 0.35f;
    });
    add({0.2f, 0.9f, 0.4f}, 0.1f, [](scene::Material& m) { m.extensions.transmission = 1.0f; });
    add({1.0f, 1.0f, 1.0f}, 0.1f, [](scene::Material& m) {
        m.extensions.transmission = 1.0f;
        m.extensions.thickness = 0.3f;
        m.extensions.attenuation_distance = 0.2f;
        m.extensions.attenuation_color = {0.9f, 0.5f, 0.1f};
    });
    add({0.1f, 0.1f, 0.1f}, 0.2f, [](scene::Material& m) {
        m.extensions.ior = 2.0f;
        m.extensions.specular_color = {1.0f, 0.8f, 0.4f};
    });
    const auto gray = add_color(scene, rgb(220, 215, 205));
    const auto bar = samples::rounded_box({0.06f, 0.9f, 0.06f}, 0.02f);
    add_shape(scene, bar, gray, {0.05f, 0.45f, -0.4f});
    add_shape(scene, bar, gray, {0.4f, 0.45f, -0.4f});
    return scene;
}

} // namespace vitrine::test
