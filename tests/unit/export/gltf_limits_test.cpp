// Small scenes that request very large files. Each is rejected with one message, or written quickly.

#include <numeric>

#include <gtest/gtest.h>

#include "loaders/export/gltf/gltf_animation.hpp"
#include "loaders/export/gltf/gltf_writer.hpp"
#include "loaders/gltf/gltf.hpp"
#include "tests/support/memory_source.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::exporting {
namespace {

using scene::Interpolation;
using scene::Path;
using scene::Scene;

void expect_rejected(const Scene& scene, std::string_view why)
{
    const auto bytes = write_glb(scene);
    ASSERT_FALSE(bytes);
    EXPECT_EQ(bytes.error().code, LoadErrc::limit_exceeded);
    EXPECT_TRUE(bytes.error().detail.contains(why)) << bytes.error().detail;
}

Scene read_back(const Scene& scene)
{
    const auto bytes = write_glb(scene);
    EXPECT_TRUE(bytes);
    test::MemorySource source(
        "m.glb", {{"m.glb", std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size())}});
    auto read = load_gltf(source, Limits());
    EXPECT_TRUE(read);
    return std::move(*read);
}

// As many nodes as joints, followed by the node of the mesh.
Scene bar_on_joints(std::size_t joints)
{
    Scene scene = test::skinned_bar();
    scene.clips.clear();
    auto& skin = scene.skins[0];
    const auto bar = scene.nodes[2];
    scene.nodes.assign(joints, scene.nodes[0]);
    scene.nodes.push_back(bar);
    skin.joints.resize(joints);
    std::iota(skin.joints.begin(), skin.joints.end(), 0u);
    skin.inverse_bind.assign(joints, glm::mat4(1.0f));
    return scene;
}

// Each primitive repeats the targets of its mesh.
TEST(GltfLimits, JsonOfPrimitivesTimesTargetsIsRejected)
{
    Scene scene = test::morphing_quad();
    auto& mesh = scene.meshes[0];
    constexpr std::size_t many = 7'000;
    const auto indices = mesh.indices;
    mesh.indices.clear();
    mesh.primitives.clear();
    for (std::uint32_t i = 0; i < many; ++i) {
        mesh.indices.insert(mesh.indices.end(), indices.begin(), indices.begin() + 3);
        mesh.primitives.push_back({.first = 3 * i, .count = 3});
    }
    mesh.morph_targets.assign(many, {});
    mesh.morph_weights.assign(many, 0.0f);
    scene.clips.clear();
    expect_rejected(scene, "more than 500 MB of JSON");
}

TEST(GltfLimits, InfluenceSetsOfAllVerticesAreRejected)
{
    Scene scene = bar_on_joints(4'000);
    auto& mesh = scene.meshes[0];
    mesh.positions.resize(200'000);
    mesh.normals.resize(200'000, glm::vec3(0, 1, 0));
    auto& in = mesh.influences;
    in.joints.resize(4'000);
    std::iota(in.joints.begin(), in.joints.end(), std::uint16_t{0});
    in.weights.assign(4'000, 1.0f / 4'000.0f);
    in.first.assign(200'001, 4'000);
    in.first[0] = 0;
    expect_rejected(scene, "4 GB");
}

TEST(GltfLimits, VerticesOfManyInfluencesAreWritten)
{
    constexpr std::size_t many = 40'000;
    Scene scene = bar_on_joints(many);
    auto& in = scene.meshes[0].influences;
    const std::size_t vertices = scene.meshes[0].positions.size();
    in.first.assign(vertices + 1, 0);
    in.joints.clear();
    for (std::size_t v = 0; v < vertices; ++v) {
        for (std::size_t i = 0; v < 4 && i < many; ++i)
            in.joints.push_back(static_cast<std::uint16_t>(i));
        in.joints.insert(in.joints.end(), {1, 0, 1}); // repeated
        in.first[v + 1] = static_cast<std::uint32_t>(in.joints.size());
    }
    in.weights.assign(in.joints.size(), 0.25f);
    const auto bytes = write_glb(scene);
    ASSERT_TRUE(bytes);
    scene.skins[0].joints.resize(2);
    scene.skins[0].inverse_bind.resize(2);
    in.joints = {1, 0, 1};
    in.weights = {0.25f, 0.25f, 0.5f};
    in.first.assign(vertices + 1, 3);
    in.first[0] = 0;
    const Scene read = read_back(scene);
    const auto& first = read.meshes[0].influences;
    EXPECT_EQ(first.joints[0], 1u) << "the heavier one, which stood there twice";
    EXPECT_FLOAT_EQ(first.weights[0], 0.75f);
    EXPECT_FLOAT_EQ(first.weights[1], 0.25f);
}

// Vertices refer to joints by index, whichever skin has them.
TEST(GltfLimits, SkinsOfOneMeshShareIt)
{
    Scene scene = test::skinned_bar();
    const auto single = write_glb(scene);
    ASSERT_TRUE(single);
    for (std::uint32_t i = 1; i <= 200; ++i) {
        scene.skins.push_back(scene.skins[0]);
        scene.nodes.push_back(scene.nodes[2]);
        scene.nodes.back().skin = i;
    }
    const auto read = read_back(scene);
    EXPECT_EQ(read.skins.size(), 201u);
    ASSERT_EQ(read.meshes.size(), 1u);
    EXPECT_EQ(read.meshes[0].influences.joints, scene.meshes[0].influences.joints);
    // If vertices follow the node, its joint comes after those of the skin.
    scene.meshes[0].influences.weights.assign(scene.meshes[0].influences.weights.size(), 0.0f);
    scene.skins[1].joints.push_back(0);
    scene.skins[1].inverse_bind.emplace_back(1.0f);
    EXPECT_EQ(read_back(scene).meshes.size(), 2u);
}

// A thousand frames are a thousand targets, of which two are active at a time.
TEST(GltfLimits, ClipsOfManyVertexFramesStaySmall)
{
    constexpr std::uint32_t frames = 3'000;
    Scene scene = test::vertex_frame_triangle(frames);
    scene.clips.resize(150, scene.clips[0]);
    for (auto& clip : scene.clips)
        clip.duration += 1.0; // the last frame is held
    const auto bytes = write_glb(scene);
    ASSERT_TRUE(bytes);
    EXPECT_LT(bytes->size(), std::size_t{32} << 20);
}

TEST(GltfLimits, AllClipsTogetherAreSampledWithinABudget)
{
    Scene scene = test::skinned_bar();
    scene.clips[0].channels[0].times = {-1.0f, 500.0f};
    scene.clips[0].duration = 499.0;
    const std::vector<bool> drawn(scene.nodes.size(), true);
    const std::vector<FrameTargets> frames(scene.meshes.size());
    SampleBudget budget(1'000'000);
    EXPECT_EQ(gltf_tracks(scene, scene.clips[0], frames, drawn, budget).size(), 1u);
    EXPECT_FALSE(budget.is_spent());
    for (int clip = 0; clip < 10'000; ++clip)
        gltf_tracks(scene, scene.clips[0], frames, drawn, budget);
    EXPECT_TRUE(budget.is_spent());
    EXPECT_TRUE(gltf_tracks(scene, scene.clips[0], frames, drawn, budget).empty());
}

TEST(GltfLimits, UnresampledKeysDoNotCountAgainstBudget)
{
    const Scene scene = test::skinned_bar();
    SampleBudget budget(0);
    const std::vector<FrameTargets> frames(scene.meshes.size());
    EXPECT_EQ(gltf_tracks(scene, scene.clips[0], frames, std::vector<bool>(3, true), budget).size(), 1u);
    EXPECT_FALSE(budget.is_spent());
}

} // namespace
} // namespace vitrine::exporting
