// The output of the 3DS writer, read back by the loader.

#include <gtest/gtest.h>

#include "loaders/3ds/3ds.hpp"
#include "loaders/export/threeds/threeds_writer.hpp"
#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/support/memory_source.hpp"

using namespace vitrine;

namespace {

scene::Scene read_back(const scene::Scene& scene)
{
    EXPECT_TRUE(scene::validate(scene)) << scene::validate(scene).error().detail;
    std::map<std::string, std::string> files;
    for (const auto& file : exporting::write_3ds(scene, "m"))
        files[file.name] = {reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()};
    test::MemorySource source("m.3ds", std::move(files));
    auto loaded = load_3ds(source, {});
    EXPECT_TRUE(loaded) << loaded.error().where << ": " << loaded.error().detail;
    if (!loaded) return {};
    EXPECT_TRUE(scene::validate(*loaded)) << scene::validate(*loaded).error().detail;
    EXPECT_TRUE(loaded->warnings.empty());
    return std::move(*loaded);
}

// A right-angled tetrahedron with flat sides of 1, 2 and 3.
scene::Mesh corner_mesh()
{
    scene::Mesh mesh;
    const glm::vec3 p[] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
    const int sides[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    for (const auto& side : sides) {
        const auto normal = glm::normalize(glm::cross(p[side[1]] - p[side[0]], p[side[2]] - p[side[0]]));
        for (const int corner : side) {
            mesh.indices.push_back(static_cast<std::uint32_t>(mesh.positions.size()));
            mesh.positions.push_back(p[corner]);
            mesh.normals.push_back(normal);
        }
    }
    mesh.primitives.push_back({.count = 12});
    return mesh;
}

scene::Node placed(std::string name, std::uint32_t parent, const scene::Trs& local, std::uint32_t mesh = 0)
{
    scene::Node node;
    node.name = std::move(name);
    node.parent = parent;
    node.local = local;
    node.mesh = mesh;
    return node;
}

// An arm of two meshes, the second rotated, with non-uniform scale and mirrored.
scene::Scene arm()
{
    scene::Scene scene;
    scene.meshes.push_back(corner_mesh());
    const auto turned = glm::angleAxis(0.7f, glm::normalize(glm::vec3(1, 2, 3)));
    scene.nodes.push_back(placed("upper", scene::none, {{1, 2, 3}, turned, glm::vec3(2)}));
    scene.nodes.push_back(placed("hinge", 0, {{0, 1, 0}, turned, glm::vec3(1)}, scene::none));
    scene.nodes.push_back(placed("lower", 1, {{3, 0, 1}, turned, {1, -1, 2}}));
    return scene;
}

void add_channel(scene::Scene& scene, std::uint32_t node, scene::Path path, std::vector<float> times,
                 std::vector<float> values)
{
    scene::Channel channel;
    channel.node = node;
    channel.path = path;
    channel.times = std::move(times);
    channel.values = std::move(values);
    scene.clips[0].channels.push_back(std::move(channel));
}

// Corners of all drawn triangles.
std::vector<glm::vec3> corners(const scene::Scene& scene, const scene::Pose& pose)
{
    std::vector<glm::vec3> out;
    for (const auto& instance : scene::find_instances(scene)) {
        const auto& mesh = scene.meshes[instance.mesh];
        for (const std::uint32_t index : mesh.indices)
            out.emplace_back(pose.model[instance.node] * glm::vec4(mesh.positions[index], 1));
    }
    return out;
}

void expect_same(const scene::Scene& a, const scene::Pose& pose_a, const scene::Scene& b,
                 const scene::Pose& pose_b)
{
    const auto ours = corners(a, pose_a), theirs = corners(b, pose_b);
    ASSERT_EQ(ours.size(), theirs.size());
    for (std::size_t i = 0; i < ours.size(); ++i)
        EXPECT_LT(glm::distance(ours[i], theirs[i]), 1e-4f) << i;
}

} // namespace

TEST(ThreedsWriter, HierarchyInstancesAndMirrorsComeBack)
{
    const auto scene = arm();
    const auto loaded = read_back(scene);
    EXPECT_EQ(loaded.meshes.size(), 1u) << "one mesh, shown twice";
    EXPECT_EQ(loaded.nodes.size(), 3u);
    EXPECT_EQ(loaded.nodes[1].name, "hinge");
    scene::Pose before, after;
    scene::static_pose(scene, before);
    scene::static_pose(loaded, after);
    expect_same(scene, before, loaded, after);
    EXPECT_EQ(loaded.meshes[0].positions.size(), 12u) << "flat sides stay flat";
}

TEST(ThreedsWriter, FirstNodeClipRoundTrips)
{
    auto scene = arm();
    scene.clips.emplace_back();
    scene.clips[0].name = "wave";
    scene.clips[0].duration = 2.0;
    const float half = std::sqrt(0.5f);
    add_channel(scene, 0, scene::Path::rotation, {0, 1, 2}, {0, 0, 0, 1, 0, half, 0, half, 0, 1, 0, 0});
    add_channel(scene, 2, scene::Path::translation, {0, 1.5f, 2}, {3, 0, 1, 4, 0, 1, 4, 5, 1});
    add_channel(scene, 1, scene::Path::scale, {0, 2}, {1, 1, 1, 2, 3, 4});
    const auto loaded = read_back(scene);
    ASSERT_EQ(loaded.clips.size(), 1u);
    EXPECT_NEAR(loaded.clips[0].duration, 2.0, 1e-6);
    scene::Pose before, after;
    for (const double time : {0.0, 0.1, 0.5, 1.03, 1.49, 1.9, 2.0}) {
        scene::sample_pose(scene, 0, time, before);
        scene::sample_pose(loaded, 0, time, after);
        SCOPED_TRACE(time);
        expect_same(scene, before, loaded, after);
    }
}

TEST(ThreedsWriter, MeshOfManyVerticesBecomesSeveral)
{
    constexpr std::uint32_t side = 300;
    scene::Scene scene;
    scene::Mesh mesh;
    for (std::uint32_t i = 0; i < side * side; ++i) {
        mesh.positions.emplace_back(i % side, 0, i / side);
        mesh.normals.emplace_back(0, 1, 0);
    }
    for (std::uint32_t y = 0; y + 1 < side; ++y)
        for (std::uint32_t x = 0; x + 1 < side; ++x) {
            const std::uint32_t a = y * side + x, b = a + 1, c = a + side, d = c + 1;
            mesh.indices.insert(mesh.indices.end(), {a, c, d, a, d, b});
        }
    mesh.primitives.push_back({.count = static_cast<std::uint32_t>(mesh.indices.size())});
    scene.meshes.push_back(std::move(mesh));
    scene.nodes.push_back(placed("ground", scene::none, {{5, 6, 7}, glm::quat(1, 0, 0, 0), glm::vec3(1)}));
    const auto loaded = read_back(scene);
    EXPECT_EQ(loaded.source_polygons, 2u * (side - 1) * (side - 1));
    EXPECT_GE(loaded.meshes.size(), 3u);
    EXPECT_LT(glm::distance(scene::static_bounds(loaded).max, scene::static_bounds(scene).max), 1e-4f);
    for (const auto& part : loaded.meshes)
        EXPECT_LE(part.positions.size(), 65'535u);
}

TEST(ThreedsWriter, MaterialsComeBack)
{
    auto scene = arm();
    scene::Material material;
    material.name = "skin";
    material.base_color = {0.2f, 0.4f, 0.6f, 0.5f};
    material.alpha_mode = scene::AlphaMode::blend;
    material.roughness = 0.3f;
    material.double_sided = true;
    scene.materials.push_back(material);
    material.name = "painted";
    material.base_color = glm::vec4(1);
    material.base_color_texture.image = 0;
    scene.materials.push_back(material);
    scene.images.push_back({"a", 2, 1, {1, 2, 3, 255, 4, 5, 6, 0}});
    scene.meshes[0].primitives = {{.count = 6, .material = 1}, {.first = 6, .count = 6, .material = 0}};
    const auto loaded = read_back(scene);
    ASSERT_EQ(loaded.materials.size(), 2u);
    EXPECT_EQ(loaded.materials[0].name, "skin");
    EXPECT_LT(glm::distance(loaded.materials[0].base_color, scene.materials[0].base_color), 0.01f);
    EXPECT_NEAR(loaded.materials[0].roughness, 0.3f, 0.02f);
    EXPECT_TRUE(loaded.materials[0].double_sided);
    EXPECT_EQ(loaded.images.at(loaded.materials[1].base_color_texture.image).pixels, scene.images[0].pixels);
    ASSERT_EQ(loaded.meshes[0].primitives.size(), 2u);
    EXPECT_EQ(loaded.meshes[0].primitives[0].material, 1u);
}
