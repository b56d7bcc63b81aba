#include "tests/support/scenes.hpp"

#include <array>
#include <cmath>

#include <glm/gtc/matrix_transform.hpp>

#include "loaders/scene/geometry/geometry.hpp"

namespace vitrine::test {

using namespace vitrine::scene;

namespace {

void add_quad(Mesh& mesh, std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d)
{
    mesh.indices.insert(mesh.indices.end(), {a, b, c, a, c, d});
}

Node make_node(const char* name, std::uint32_t parent, glm::vec3 translation = glm::vec3(0.0f))
{
    Node node;
    node.name = name;
    node.parent = parent;
    node.local.translation = translation;
    return node;
}

// `values`: at 0 s and 1 s.
Clip clip_of_one_second(const char* name, std::uint32_t node, Path path, std::vector<float> values)
{
    Clip clip;
    clip.name = name;
    clip.duration = 1.0;
    clip.channels.push_back({.node = node,
                             .path = path,
                             .interpolation = Interpolation::linear,
                             .times = {0.0f, 1.0f},
                             .values = std::move(values)});
    return clip;
}

Mesh bar_mesh()
{
    Mesh mesh;
    mesh.name = "bar";
    constexpr float half = 0.1f;
    for (std::uint32_t ring = 0; ring < 3; ++ring) {
        const auto y = static_cast<float>(ring);
        // Counter-clockwise seen from above.
        mesh.positions.insert(mesh.positions.end(),
                              {{-half, y, half}, {half, y, half}, {half, y, -half}, {-half, y, -half}});
    }
    for (std::uint32_t ring = 0; ring < 2; ++ring) {
        for (std::uint32_t side = 0; side < 4; ++side) {
            const std::uint32_t a = 4 * ring + side, b = 4 * ring + (side + 1) % 4;
            add_quad(mesh, a, b, b + 4, a + 4);
        }
    }
    add_quad(mesh, 3, 2, 1, 0);
    add_quad(mesh, 8, 9, 10, 11);
    add_whole_primitive(mesh);
    compute_normals(mesh);
    return mesh;
}

void weigh_bar(Influences& influences)
{
    influences.first.push_back(0);
    for (std::uint32_t v = 0; v < 12; ++v) {
        if (v < 8) influences.joints.push_back(0), influences.weights.push_back(v < 4 ? 1.0f : 0.5f);
        if (v >= 4) influences.joints.push_back(1), influences.weights.push_back(v < 8 ? 0.5f : 1.0f);
        influences.first.push_back(static_cast<std::uint32_t>(influences.joints.size()));
    }
}

void add_cube_side(Mesh& mesh, glm::vec3 normal, glm::vec3 right)
{
    const glm::vec3 up = glm::cross(normal, right);
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    constexpr std::array<glm::vec2, 4> corners{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}};
    for (const glm::vec2 corner : corners) {
        mesh.positions.push_back(0.5f * (normal + corner.x * right + corner.y * up));
        mesh.normals.push_back(normal);
        mesh.uv0.emplace_back(0.5f * corner.x + 0.5f, 0.5f - 0.5f * corner.y);
    }
    add_quad(mesh, first, first + 1, first + 2, first + 3);
}

} // namespace

Scene skinned_bar()
{
    Scene scene;
    scene.format = "test";
    scene.nodes = {make_node("lower", none), make_node("upper", 0, {0.0f, 1.0f, 0.0f}),
                   make_node("bar", none)};
    scene.nodes[2].mesh = 0;
    scene.nodes[2].skin = 0;
    scene.meshes.push_back(bar_mesh());
    weigh_bar(scene.meshes[0].influences);
    const glm::mat4 to_upper = glm::translate(glm::mat4(1.0f), glm::vec3(0.0f, -1.0f, 0.0f));
    scene.skins.push_back(
        {.name = "skeleton", .joints = {0, 1}, .inverse_bind = {glm::mat4(1.0f), to_upper}});
    const float half = std::sqrt(0.5f);
    scene.clips.push_back(clip_of_one_second("bend", 1, Path::rotation, {0, 0, 0, 1, 0, 0, half, half}));
    return scene;
}

Scene morphing_quad()
{
    Scene scene;
    scene.format = "test";
    Mesh mesh;
    mesh.name = "quad";
    mesh.positions = {{-0.5f, -0.5f, 0.0f}, {0.5f, -0.5f, 0.0f}, {0.5f, 0.5f, 0.0f}, {-0.5f, 0.5f, 0.0f}};
    add_quad(mesh, 0, 1, 2, 3);
    add_whole_primitive(mesh);
    compute_normals(mesh);
    const glm::vec3 up(0, 1, 0), forward(0, 0, 2);
    mesh.morph_targets.push_back({.name = "raise",
                                  .vertices = {2, 3},
                                  .position_deltas = {up, up},
                                  .normal_deltas = {},
                                  .tangent_deltas = {}});
    mesh.morph_targets.push_back({.name = "push",
                                  .vertices = {0, 1, 2, 3},
                                  .position_deltas = {forward, forward, forward, forward},
                                  .normal_deltas = {},
                                  .tangent_deltas = {}});
    mesh.morph_weights = {0.0f, 0.0f};
    scene.meshes.push_back(std::move(mesh));
    scene.nodes = {make_node("quad", none)};
    scene.nodes[0].mesh = 0;
    scene.clips.push_back(clip_of_one_second("morph", 0, Path::weights, {0.0f, 0.0f, 1.0f, 0.5f}));
    return scene;
}

Scene textured_cube()
{
    Scene scene;
    scene.format = "test";
    Mesh mesh;
    mesh.name = "cube";
    add_cube_side(mesh, {0, 0, 1}, {1, 0, 0});
    add_cube_side(mesh, {0, 0, -1}, {-1, 0, 0});
    add_cube_side(mesh, {1, 0, 0}, {0, 0, -1});
    add_cube_side(mesh, {-1, 0, 0}, {0, 0, 1});
    add_cube_side(mesh, {0, 1, 0}, {1, 0, 0});
    add_cube_side(mesh, {0, -1, 0}, {1, 0, 0});
    add_whole_primitive(mesh, 0);
    compute_tangents(mesh);
    scene.meshes.push_back(std::move(mesh));
    scene.nodes = {make_node("cube", none)};
    scene.nodes[0].mesh = 0;
    Material material;
    material.name = "checker";
    material.base_color_texture.image = 0;
    material.base_color_texture.nearest = true;
    scene.materials.push_back(material);
    scene.images.push_back({.name = "checker.png",
                            .width = 2,
                            .height = 2,
                            .pixels = {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255}});
    return scene;
}

Scene vertex_frame_triangle(std::uint32_t frames)
{
    Scene scene;
    scene.format = "test";
    Mesh mesh;
    mesh.name = "triangle";
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    mesh.indices = {0, 1, 2};
    add_whole_primitive(mesh);
    compute_normals(mesh);
    mesh.frames.count = frames;
    for (std::uint32_t f = 0; f < frames; ++f) {
        for (std::size_t v = 0; v < 3; ++v) {
            mesh.frames.positions.push_back(mesh.positions[v] + glm::vec3(static_cast<float>(f), 0, 0));
            mesh.frames.normals.push_back(mesh.normals[v]);
        }
    }
    scene.meshes.push_back(std::move(mesh));
    scene.nodes = {make_node("model", none)};
    scene.nodes[0].mesh = 0;
    Clip clip;
    clip.name = "run";
    clip.frame_rate = 10.0;
    clip.frames = frames;
    clip.duration = (frames - 1) / 10.0;
    Channel channel{.node = 0,
                    .path = Path::vertex_frame,
                    .interpolation = Interpolation::linear,
                    .times = {},
                    .values = {}};
    for (std::uint32_t f = 0; f < frames; ++f) {
        channel.times.push_back(static_cast<float>(f / 10.0));
        channel.values.push_back(static_cast<float>(f));
    }
    clip.channels.push_back(std::move(channel));
    scene.clips.push_back(std::move(clip));
    return scene;
}

} // namespace vitrine::test
