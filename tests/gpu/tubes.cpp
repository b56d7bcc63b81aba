// The deformed scenes of scenes.hpp.
#include "tests/gpu/scenes.hpp"

#include <cmath>
#include <numbers>

#include <glm/gtc/matrix_transform.hpp>

#include "tests/support/scenes.hpp"

namespace vitrine::test {
namespace {

std::uint32_t u32(std::size_t value)
{
    return static_cast<std::uint32_t>(value);
}

scene::Node named(const char* name, std::uint32_t parent = scene::none)
{
    scene::Node node;
    node.name = name;
    node.parent = parent;
    return node;
}

void add_ring(scene::Mesh& mesh, float y, std::uint32_t sides)
{
    for (std::uint32_t s = 0; s < sides; ++s) {
        const float angle =
            2.0f * std::numbers::pi_v<float> * static_cast<float>(s) / static_cast<float>(sides);
        const glm::vec3 out(std::sin(angle), 0.0f, std::cos(angle));
        mesh.positions.push_back(0.12f * out + glm::vec3(0.0f, y, 0.0f));
        mesh.normals.push_back(out);
    }
}

void add_strip(scene::Mesh& mesh, std::uint32_t ring, std::uint32_t sides)
{
    for (std::uint32_t s = 0; s < sides; ++s) {
        const auto a = ring * sides + s;
        const auto b = ring * sides + (s + 1) % sides;
        for (const auto i : {a, b, b + sides, a, b + sides, a + sides})
            mesh.indices.push_back(i);
    }
}

void add_influences(scene::Mesh& mesh, float y, std::uint32_t joints, std::uint32_t influences)
{
    if (mesh.influences.first.empty()) mesh.influences.first.push_back(0);
    const float at = y * static_cast<float>(joints);
    float sum = 0.0f;
    const auto begin = mesh.influences.weights.size();
    for (std::uint32_t i = 0; i < influences; ++i) {
        const auto joint = std::min(u32(static_cast<std::size_t>(at)) + i, joints - 1);
        const float weight = 1.0f / (1.0f + std::abs(at - static_cast<float>(joint)));
        mesh.influences.joints.push_back(static_cast<std::uint16_t>(joint));
        mesh.influences.weights.push_back(weight);
        sum += weight;
    }
    for (auto i = begin; i < mesh.influences.weights.size(); ++i)
        mesh.influences.weights[i] /= sum;
    mesh.influences.first.push_back(u32(mesh.influences.weights.size()));
}

scene::Channel bend(std::uint32_t node, float radians)
{
    scene::Channel channel{.node = node, .path = scene::Path::rotation};
    for (const float step : {0.0f, 1.0f, 0.0f}) {
        const auto q = glm::angleAxis(radians * step, glm::normalize(glm::vec3(0.3f, 0.1f, 1.0f)));
        channel.times.push_back(static_cast<float>(channel.times.size()));
        channel.values.insert(channel.values.end(), {q.x, q.y, q.z, q.w});
    }
    return channel;
}

void add_joints(scene::Scene& scene, std::uint32_t joints)
{
    scene::Skin skin;
    scene::Clip clip{.name = "wave", .duration = 2.0};
    const float length = 1.0f / static_cast<float>(joints);
    for (std::uint32_t j = 0; j < joints; ++j) {
        auto node = named("joint", j == 0 ? scene::none : u32(scene.nodes.size()) - 1);
        node.local.translation.y = j == 0 ? 0.0f : length;
        skin.joints.push_back(u32(scene.nodes.size()));
        skin.inverse_bind.push_back(
            glm::translate(glm::mat4(1.0f), glm::vec3(0.0f, -length * static_cast<float>(j), 0.0f)));
        clip.channels.push_back(bend(u32(scene.nodes.size()), 1.6f / static_cast<float>(joints)));
        scene.nodes.push_back(node);
    }
    scene.skins.push_back(skin);
    scene.clips.push_back(clip);
}

constexpr std::uint32_t max_tree_skin = 35'000;

// Places joints first .. first + count of a tree and a skin of them; returns their positions.
std::vector<glm::vec3> add_tree_joints(scene::Scene& scene, std::uint32_t first, std::uint32_t count)
{
    scene::Skin skin;
    std::vector<glm::vec3> positions;
    for (std::uint32_t j = first; j < first + count; ++j) {
        auto node = named("joint", j == 0 ? scene::none : (j - 1) / 8);
        const auto turn = static_cast<float>(j);
        node.local.translation = 0.1f * glm::vec3(std::sin(turn), 1.0f, std::cos(turn));
        glm::vec3 position(0.0f);
        scene.nodes.push_back(node);
        for (auto up = j; up != scene::none; up = scene.nodes[up].parent)
            position += scene.nodes[up].local.translation;
        skin.joints.push_back(j);
        skin.inverse_bind.push_back(glm::translate(glm::mat4(1.0f), -position));
        scene.clips[0].channels.push_back(bend(j, 0.2f));
        positions.push_back(position);
    }
    scene.skins.push_back(std::move(skin));
    return positions;
}

// Triangles around the positions, in their order.
scene::Mesh tree_mesh(const std::vector<glm::vec3>& positions, std::uint32_t triangles)
{
    scene::Mesh mesh;
    mesh.influences.first.push_back(0);
    for (std::uint32_t v = 0; v < 3 * triangles; ++v) {
        const auto joint = std::size_t{v / 3} * positions.size() / triangles;
        const auto angle = static_cast<float>(v);
        mesh.positions.push_back(positions[joint] +
                                 0.02f * glm::vec3(std::sin(angle), std::cos(angle), 0.0f));
        mesh.normals.emplace_back(0.0f, 0.0f, 1.0f);
        mesh.indices.push_back(v);
        for (std::size_t i = 0; i < 4; ++i) {
            mesh.influences.joints.push_back(static_cast<std::uint16_t>((joint + i) % positions.size()));
            mesh.influences.weights.push_back(0.25f);
        }
        mesh.influences.first.push_back(u32(mesh.influences.joints.size()));
    }
    mesh.primitives = {{.count = 3 * triangles}};
    return mesh;
}

void add_morph_targets(scene::Mesh& mesh)
{
    scene::MorphTarget bulge{.name = "bulge"};
    scene::MorphTarget lean{.name = "lean"};
    for (std::uint32_t v = 0; v < mesh.positions.size(); v += 3) {
        bulge.vertices.push_back(v);
        bulge.position_deltas.push_back(0.2f * mesh.normals[v]);
        bulge.normal_deltas.emplace_back(0.0f, 0.3f, 0.0f);
    }
    for (std::uint32_t v = 1; v < mesh.positions.size(); v += 2) {
        lean.vertices.push_back(v);
        lean.position_deltas.emplace_back(0.1f * mesh.positions[v].y, 0.0f, 0.05f);
    }
    mesh.morph_targets = {bulge, lean};
    mesh.morph_weights = {0.7f, -0.4f};
}

// A triangle with vertex frames and a fourth vertex that no primitive uses.
scene::Mesh mesh_with_frames()
{
    auto mesh = vertex_frame_triangle().meshes[0];
    mesh.positions.emplace_back(50.0f, 50.0f, 50.0f);
    mesh.normals.emplace_back(0.0f, 1.0f, 0.0f);
    const auto with_fourth = [](const auto& of_frames, glm::vec3 fourth) {
        std::vector<glm::vec3> all;
        for (const glm::vec3& value : of_frames) {
            all.push_back(value);
            if (all.size() % 4 == 3) all.push_back(fourth);
        }
        return all;
    };
    mesh.frames.positions = with_fourth(mesh.frames.positions, glm::vec3(50.0f));
    mesh.frames.normals = with_fourth(mesh.frames.normals, glm::vec3(0.0f, 1.0f, 0.0f));
    mesh.uv0.clear();
    mesh.primitives[0].material = scene::none;
    return mesh;
}

} // namespace

scene::Scene tube(std::uint32_t rings, std::uint32_t sides, std::uint32_t joints, std::uint32_t influences)
{
    scene::Scene scene;
    scene.format = "test";
    add_joints(scene, joints);
    scene::Mesh mesh;
    for (std::uint32_t r = 0; r < rings; ++r) {
        const float y = static_cast<float>(r) / static_cast<float>(rings - 1);
        add_ring(mesh, y, sides);
        for (std::uint32_t s = 0; s < sides; ++s)
            add_influences(mesh, y, joints, influences);
        if (r + 1 < rings) add_strip(mesh, r, sides);
    }
    mesh.primitives = {{.count = u32(mesh.indices.size())}};
    scene.meshes.push_back(mesh);
    auto node = named("tube");
    node.mesh = 0;
    node.skin = 0;
    scene.nodes.push_back(node);
    return scene;
}

scene::Scene joint_tree(std::uint32_t joints, std::uint32_t vertices)
{
    scene::Scene scene;
    scene.format = "test";
    scene.clips.push_back({.name = "turn", .duration = 2.0});
    const auto skins = (joints + max_tree_skin - 1) / max_tree_skin;
    std::vector<std::vector<glm::vec3>> positions;
    for (std::uint32_t s = 0; s < skins; ++s) {
        const auto first = joints * s / skins;
        positions.push_back(add_tree_joints(scene, first, joints * (s + 1) / skins - first));
    }
    for (std::uint32_t s = 0; s < skins; ++s) {
        scene.meshes.push_back(tree_mesh(positions[s], vertices / 3 / skins));
        auto node = named("mesh");
        node.mesh = node.skin = s;
        scene.nodes.push_back(node);
    }
    return scene;
}

void add_normal_map(scene::Scene& tube, std::uint32_t sides)
{
    auto& mesh = tube.meshes[0];
    for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
        mesh.uv0.emplace_back(static_cast<float>(v % sides) / static_cast<float>(sides),
                              1.0f - mesh.positions[v].y);
        mesh.tangents.emplace_back(glm::cross(glm::vec3(0.0f, 1.0f, 0.0f), mesh.normals[v]), 1.0f);
    }
    tube.images.push_back({.width = 1, .height = 1, .pixels = {200, 170, 210, 255}});
    scene::Material material;
    material.base_color = {0.6f, 0.6f, 0.6f, 1.0f};
    material.normal_texture.image = u32(tube.images.size() - 1);
    tube.materials.push_back(material);
    mesh.primitives[0].material = u32(tube.materials.size() - 1);
}

scene::Scene dense_tube()
{
    auto scene = tube(260, 128, 2, 1);
    add_normal_map(scene, 128);
    return scene;
}

scene::Scene tube_with_positions()
{
    auto scene = tube(12, 9, 7, 6);
    auto& mesh = scene.meshes[0];
    auto& influences = mesh.influences;
    for (std::uint32_t v = 0; v < mesh.positions.size(); ++v)
        for (auto i = influences.first[v]; i < influences.first[v + 1]; ++i)
            influences.positions.push_back(
                mesh.positions[v] +
                0.01f * glm::vec3(std::sin(static_cast<float>(i)), 0.0f, std::cos(static_cast<float>(i))));
    return scene;
}

scene::Scene mixture()
{
    auto scene = tube(10, 8, 5, 5);
    add_morph_targets(scene.meshes[0]);
    auto& first = scene.meshes[0].influences.first; // the last ring is rigid
    for (std::size_t v = first.size() - 8; v < first.size(); ++v)
        first[v] = first[first.size() - 9];
    scene.meshes[0].influences.joints.resize(first.back());
    scene.meshes[0].influences.weights.resize(first.back());

    auto animated = named("frames");
    animated.mesh = u32(scene.meshes.size());
    scene.meshes.push_back(mesh_with_frames());
    scene.clips[0].channels.push_back({.node = u32(scene.nodes.size()),
                                       .path = scene::Path::vertex_frame,
                                       .times = {0.0f, 0.5f, 1.5f, 2.0f},
                                       .values = {0.0f, 1.0f, 3.0f, 0.0f}});
    scene.nodes.push_back(animated);

    auto mirrored = named("mirrored");
    mirrored.local.scale = {-1.5f, 0.5f, 2.0f};
    mirrored.local.translation = {0.4f, 0.2f, -0.3f};
    mirrored.mesh = u32(scene.meshes.size());
    auto cube = textured_cube().meshes[0];
    for (auto& primitive : cube.primitives)
        primitive.material = scene::none;
    scene.meshes.push_back(cube);
    scene.nodes.push_back(mirrored);
    return scene;
}

} // namespace vitrine::test
