#include "tests/pictures/features.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "loaders/scene/geometry/geometry.hpp"
#include "server/samples/primitive_shapes.hpp"
#include "server/samples/procedural_texture.hpp"
#include "tests/gpu/scenes.hpp"
#include "tests/pictures/feature_parts.hpp"
#include "tests/pictures/material_features.hpp"

namespace vitrine::test {
namespace {

using samples::rgb;

constexpr float pi = std::numbers::pi_v<float>;

scene::Scene make_lines_and_points()
{
    auto scene = empty_scene();
    scene::Mesh mesh;
    mesh.name = "helix";
    constexpr std::uint32_t steps = 160;
    for (std::uint32_t i = 0; i < steps; ++i) {
        const float t = static_cast<float>(i) / steps, angle = 6.0f * pi * t;
        mesh.positions.emplace_back(0.4f * std::cos(angle), t, 0.4f * std::sin(angle));
        mesh.colors.emplace_back(t, 0.2f, 1.0f - t, 1.0f);
        if (i > 0) mesh.indices.insert(mesh.indices.end(), {i - 1, i});
    }
    const auto lines = u32(mesh.indices.size());
    for (std::uint32_t i = 0; i < steps; i += 4) {
        mesh.indices.push_back(u32(mesh.positions.size()));
        mesh.positions.push_back(mesh.positions[i] * glm::vec3(0.4f, 1.0f, 0.4f));
        mesh.colors.emplace_back(0.05f, 0.3f, 0.05f, 1.0f);
    }
    mesh.normals.assign(mesh.positions.size(), {0.0f, 1.0f, 0.0f});
    mesh.primitives = {
        {.topology = scene::Topology::lines, .count = lines},
        {.topology = scene::Topology::points, .first = lines, .count = u32(mesh.indices.size()) - lines}};
    add_node(scene, std::move(mesh));
    return scene;
}

scene::Scene make_unlit()
{
    auto scene = empty_scene();
    scene::Material material;
    material.base_color_texture = texture_of(scene, checker(rgb(230, 190, 60), rgb(40, 60, 110)));
    const auto lit = add_material(scene, material);
    material.unlit = true;
    const auto box = samples::rounded_box(glm::vec3(0.5f), 0.06f);
    add_shape(scene, box, lit, {-0.32f, 0.25f, 0.0f});
    add_shape(scene, box, add_material(scene, material), {0.32f, 0.25f, 0.0f});
    return scene;
}

scene::Scene make_vertex_colors()
{
    auto scene = empty_scene();
    scene::Material material;
    material.base_color_texture = texture_of(scene, checker(rgb(255, 255, 255), rgb(170, 170, 170)));
    auto mesh = mesh_of(samples::sphere(0.5f, 32), add_material(scene, material));
    for (const auto& position : mesh.positions)
        mesh.colors.emplace_back(position + 0.5f, 1.0f);
    add_node(scene, std::move(mesh), {0.0f, 0.5f, 0.0f});
    return scene;
}

// Normal, metallic-roughness, occlusion and emissive textures.
scene::Scene make_surface_maps()
{
    auto scene = empty_scene();
    const auto bump = [](glm::vec2 uv) { return std::sin(16.0f * pi * uv.x) * std::sin(8.0f * pi * uv.y); };
    scene::Material material;
    material.base_color = samples::linear(rgb(190, 140, 90));
    material.normal_texture =
        texture_of(scene, samples::painted("normal", 128, 128, [&](glm::vec2 uv) {
                       const float step = 1.0f / 256.0f;
                       const float du = bump({uv.x + step, uv.y}) - bump({uv.x - step, uv.y});
                       const float dv = bump({uv.x, uv.y + step}) - bump({uv.x, uv.y - step});
                       return 0.5f + 0.5f * glm::normalize(glm::vec3(-2.0f * du, 2.0f * dv, 1.0f));
                   }));
    material.metallic = 1.0f;
    material.metallic_roughness_texture =
        texture_of(scene, samples::painted("surface", 64, 64, [](glm::vec2 uv) {
                       return glm::vec3(0.0f, 0.2f + 0.6f * uv.x, uv.y < 0.5f ? 1.0f : 0.0f);
                   }));
    material.occlusion_texture = texture_of(scene, samples::painted("occlusion", 64, 64, [&](glm::vec2 uv) {
                                                return glm::vec3(bump(uv) < -0.4f ? 0.3f : 1.0f);
                                            }));
    material.emissive = {0.2f, 0.9f, 0.5f};
    material.emissive_texture = texture_of(scene, samples::painted("glow", 64, 64, [](glm::vec2 uv) {
                                               return glm::vec3(std::abs(uv.y - 0.5f) < 0.04f ? 1.0f : 0.0f);
                                           }));
    auto mesh = mesh_of(samples::sphere(0.5f, 48), add_material(scene, material));
    scene::compute_tangents(mesh);
    add_node(scene, std::move(mesh), {0.0f, 0.5f, 0.0f});
    return scene;
}

// The same image repeated, clamped, mirrored, rotated, and with the second UV set.
scene::Scene make_texture_transforms()
{
    auto scene = empty_scene();
    const auto plain =
        texture_of(scene, samples::painted("corner", 32, 32, [](glm::vec2 uv) {
                       return glm::vec3(uv.x, uv.y, uv.x < 0.25f && uv.y < 0.25f ? 1.0f : 0.2f);
                   }));
    std::array<scene::Texture, 5> textures;
    textures.fill(plain);
    for (auto& texture : textures)
        texture.scale = {2.5f, 2.5f};
    textures[1].wrap_s = textures[1].wrap_t = scene::Wrap::clamp;
    textures[2].wrap_s = textures[2].wrap_t = scene::Wrap::mirror;
    textures[3].rotation = 0.5f;
    textures[3].offset = {0.3f, 0.1f};
    textures[3].nearest = true;
    textures[4].uv_set = 1;
    for (std::uint32_t i = 0; i < textures.size(); ++i) {
        scene::Material material;
        material.base_color_texture = textures[i];
        auto mesh = mesh_of(samples::rounded_box({0.3f, 0.3f, 0.1f}, 0.02f), add_material(scene, material));
        for (const auto& uv : mesh.uv0)
            mesh.uv1.emplace_back(uv.y, 0.5f * uv.x);
        add_node(scene, std::move(mesh),
                 glm::vec3(0.36f * glm::vec2(glm::uvec2(i % 3, i / 3)), 0.0f) + glm::vec3(0.0f, 0.2f, 0.0f));
    }
    return scene;
}

// Single-sided half pipes, one of them mirrored by its node, beside a double-sided one; a wall and a ceiling
// that face away, so that neither they nor their shadows are visible.
scene::Scene make_sides()
{
    auto scene = empty_scene();
    const auto pipe = samples::patch(
        [](float u, float v) {
            return glm::vec3(0.2f * std::cos(pi * u), 0.6f * v, 0.2f * std::sin(pi * u));
        },
        16, 4);
    const auto one_side = add_color(scene, rgb(200, 120, 50));
    scene::Material both;
    both.base_color = samples::linear(rgb(70, 120, 190));
    both.double_sided = true;
    add_shape(scene, pipe, one_side, {-0.5f, 0.0f, 0.0f});
    add_shape(scene, pipe, one_side).local.scale = {1.0f, 1.0f, -1.0f};
    add_shape(scene, pipe, add_material(scene, both), {0.5f, 0.0f, 0.0f}).local.scale = {1.0f, 1.0f, -1.0f};
    const auto wall = samples::patch([](float u, float v) { return glm::vec3(0.4f - u, v, 0.5f); }, 2, 2);
    const auto ceiling = samples::patch([](float u, float v) { return glm::vec3(u, 1.0f, v); }, 2, 2);
    add_shape(scene, wall, one_side);
    add_shape(scene, ceiling, one_side);
    return scene;
}

scene::Scene make_textured_morph()
{
    auto scene = empty_scene();
    scene::Material material;
    material.base_color_texture = texture_of(scene, checker(rgb(220, 90, 80), rgb(240, 230, 210)));
    auto mesh = mesh_of(samples::sphere(0.4f, 40), add_material(scene, material));
    scene::MorphTarget target;
    target.name = "egg";
    for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
        const auto& at = mesh.positions[v];
        if (at.y <= 0.0f) continue;
        target.vertices.push_back(v);
        target.position_deltas.emplace_back(0.0f, at.y, 0.0f);
        target.normal_deltas.emplace_back(0.0f, -0.5f * mesh.normals[v].y, 0.0f);
    }
    mesh.morph_targets = {target};
    mesh.morph_weights = {0.0f};
    add_node(scene, std::move(mesh), {0.0f, 0.4f, 0.0f}).morph_weights = {0.8f};
    return scene;
}

// Four frames of a thrown ball; the image is between two of them.
scene::Scene make_vertex_frames()
{
    auto scene = empty_scene();
    scene::Material material;
    material.base_color_texture = texture_of(scene, checker(rgb(60, 90, 160), rgb(210, 215, 225)));
    auto mesh = mesh_of(samples::sphere(0.3f, 32), add_material(scene, material));
    mesh.frames.count = 4;
    for (std::uint32_t f = 0; f < mesh.frames.count; ++f)
        for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
            const float t = static_cast<float>(f) / 3.0f, squash = 1.0f - 0.4f * t;
            mesh.frames.positions.push_back(mesh.positions[v] * glm::vec3(1.0f, squash, 1.0f) +
                                            glm::vec3(t, 0.3f, 0.0f));
            mesh.frames.normals.push_back(glm::normalize(mesh.normals[v] / glm::vec3(1.0f, squash, 1.0f)));
        }
    add_node(scene, std::move(mesh));
    auto& clip = scene.clips.emplace_back();
    clip.name = "throw";
    clip.duration = 1.0;
    clip.channels.push_back({.node = 0,
                             .path = scene::Path::vertex_frame,
                             .times = {0.0f, 1.0f / 3.0f, 2.0f / 3.0f, 1.0f},
                             .values = {0.0f, 1.0f, 2.0f, 3.0f}});
    return scene;
}

scene::Scene make_dual_quaternions()
{
    auto scene = tube(24, 20, 5, 3);
    scene.skins[0].method = scene::SkinningMethod::dual_quaternion;
    add_normal_map(scene, 20);
    return scene;
}

constexpr std::array features{Feature{"mask", make_mask},
                              Feature{"glass-sphere", make_glass_sphere},
                              Feature{"glass-bowl", make_glass_bowl},
                              Feature{"panes", make_panes},
                              Feature{"lines-and-points", make_lines_and_points},
                              Feature{"unlit", make_unlit},
                              Feature{"vertex-colors", make_vertex_colors},
                              Feature{"surface-maps", make_surface_maps},
                              Feature{"texture-transforms", make_texture_transforms},
                              Feature{"sides", make_sides},
                              Feature{"textured-morph", make_textured_morph},
                              Feature{"vertex-frames", make_vertex_frames},
                              Feature{"dual-quaternions", make_dual_quaternions},
                              Feature{"metals", make_metals},
                              Feature{"layers", make_material_extensions}};

} // namespace

std::span<const Feature> all_features()
{
    return features;
}

} // namespace vitrine::test
