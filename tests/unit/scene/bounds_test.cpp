#include "loaders/scene/bounds/bounds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loaders/scene/bounds/joint_boxes.hpp"
#include "loaders/scene/motion/curve_extrema.hpp"
#include "loaders/scene/motion/sampling.hpp"
#include "loaders/scene/skinning/skinner.hpp"
#include "loaders/scene/skinning/skinning.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/plain_loops.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/sampled_bounds.hpp"
#include "tests/support/scenes.hpp"
#include "tests/unit/scene/expect_box.hpp"

namespace vitrine::scene {
namespace {

TEST(Bounds, MatchKnownBoxes)
{
    expect_box(static_bounds(test::textured_cube()), glm::vec3(-0.5f), glm::vec3(0.5f));
    expect_box(static_bounds(test::skinned_bar()), {-0.1f, 0, -0.1f}, {0.1f, 2, 0.1f});
    expect_box(static_bounds(test::vertex_frame_triangle()), {0, 0, 0}, {1, 1, 0});
    EXPECT_TRUE(static_bounds(Scene{}).empty());
}

TEST(Bounds, CountUsedVerticesOnly)
{
    Scene scene = test::textured_cube();
    scene.meshes[0].positions[0] = glm::vec3(100.0f);
    erase_if(scene.meshes[0].indices, [](std::uint32_t index) { return index == 0; });
    scene.meshes[0].primitives[0].count = 33;
    scene.meshes[0].indices.resize(33);
    EXPECT_LT(static_bounds(scene).max.x, 1.0f);
    const JointBoxes boxes = joint_boxes(scene);
    EXPECT_LT(boxes.boxes[0].max.x, 1.0f);
}

Aabb box_of_used_vertices(const Scene& scene, const Pose& pose)
{
    Aabb box;
    Skinner skinner(scene);
    const auto meshes = skinner.skin(pose);
    for (std::size_t i = 0; i < meshes.size(); ++i) {
        const auto used = test::plain::used_vertices(scene.meshes[skinner.instances()[i].mesh]);
        for (std::size_t v = 0; v < used.size(); ++v) {
            if (used[v]) box.add(meshes[i].positions[v]);
        }
    }
    return box;
}

void expect_equal(const Aabb& box, const Aabb& expected)
{
    EXPECT_EQ(box.min, expected.min);
    EXPECT_EQ(box.max, expected.max);
}

TEST(Bounds, EqualTheBoxOfSingleVerticesInRandomScenes)
{
    for (std::uint32_t seed = 0; seed < 9; ++seed) {
        const Scene scene = test::random_scene(seed, {.skinning = static_cast<SkinningMethod>(seed % 3)});
        Pose pose;
        static_pose(scene, pose);
        expect_equal(pose_bounds(scene, pose), box_of_used_vertices(scene, pose));
        sample_pose(scene, 0, 0.7, pose);
        expect_equal(pose_bounds(scene, pose), box_of_used_vertices(scene, pose));
    }
}

// More vertices than are skinned at once, some of which are not used.
TEST(Bounds, EqualTheBoxOfSingleVerticesInALargeMesh)
{
    Scene scene;
    scene.nodes.resize(1);
    scene.nodes[0].mesh = 0;
    scene.nodes[0].local.rotation = glm::angleAxis(0.5f, glm::vec3(0, 0, 1));
    Mesh& mesh = scene.meshes.emplace_back();
    for (std::uint32_t v = 0; v < 5000; ++v) {
        mesh.positions.emplace_back(std::sin(static_cast<float>(v)), v % 7, v % 10 == 0 ? 1000.0f : 0.0f);
        if (v % 10 != 0) mesh.indices.push_back(v);
    }
    for (std::uint32_t v = 2000; v < 4500; ++v) // a range that is longer than a block
        mesh.indices.push_back(v);
    mesh.normals.resize(mesh.positions.size());
    mesh.primitives = {
        {.topology = Topology::points, .count = static_cast<std::uint32_t>(mesh.indices.size())}};
    Pose pose;
    static_pose(scene, pose);
    const Aabb box = box_of_used_vertices(scene, pose);
    expect_equal(pose_bounds(scene, pose), box);
    mesh.positions[4321].y = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(pose_bounds(scene, pose).max.x, std::numeric_limits<float>::infinity());
    mesh.positions[4321].y = 0.0f;
    mesh.positions[4990].y = std::numeric_limits<float>::infinity(); // not used
    expect_equal(pose_bounds(scene, pose), box);
}

TEST(UsedVertices, AreSeparateRanges)
{
    Mesh mesh;
    mesh.positions.resize(10);
    EXPECT_TRUE(used_vertices(mesh).empty());
    mesh.indices = {1, 0, 2, 9, 5, 5, 7};
    mesh.primitives = {{.topology = Topology::points, .first = 0, .count = 3},
                       {.topology = Topology::points, .first = 3, .count = 3}};
    EXPECT_THAT(used_vertices(mesh),
                ::testing::ElementsAre(VertexRange{0, 3}, VertexRange{5, 6}, VertexRange{9, 10}));
    mesh.positions.clear();
    mesh.primitives.clear();
    EXPECT_TRUE(used_vertices(mesh).empty());
}

TEST(Bounds, IgnoreHiddenNodes)
{
    Scene scene = test::textured_cube();
    scene.nodes[0].visible = false;
    EXPECT_TRUE(static_bounds(scene).empty());
    EXPECT_TRUE(find_instances(scene).empty());
}

TEST(ClipBounds, MatchTheBendingBar)
{
    const auto bounds = test::sampled_bounds(test::skinned_bar(), 0);
    ASSERT_EQ(bounds.times.size(), bounds.exact.size());
    EXPECT_EQ(bounds.times.front(), 0.0);
    EXPECT_EQ(bounds.times.back(), 1.0);
    expect_box(bounds.exact.front(), {-0.1f, 0, -0.1f}, {0.1f, 2, 0.1f});
    expect_box(bounds.exact.back(), {-1, 0, -0.1f}, {0.1f, 1.1f, 0.1f});
    EXPECT_TRUE(bounds.conservative.contains(bounds.exact_union));
}

TEST(ClipBounds, CoverVertexFrames)
{
    const auto bounds = test::sampled_bounds(test::vertex_frame_triangle(4), 0);
    expect_box(bounds.exact_union, {0, 0, 0}, {4, 1, 0});
    expect_box(bounds.exact.back(), {3, 0, 0}, {4, 1, 0});
}

// Also between keys that are close together.
TEST(ClipBounds, CoverExtremaOfCubicCurves)
{
    Scene scene = test::textured_cube();
    Clip clip;
    clip.duration = 0.06;
    Channel channel;
    channel.node = 0;
    channel.interpolation = Interpolation::cubic;
    for (const float time : {0.0f, 0.03f, 0.06f}) {
        channel.times.push_back(time);
        channel.values.insert(channel.values.end(), {0, -300, 0, 0, 0, 0, 0, 300, 40});
    }
    clip.channels.push_back(channel);
    scene.clips.push_back(clip);
    ASSERT_TRUE(validate(scene));
    const auto bounds = test::sampled_bounds(scene, 0);
    // y has an extremum in the middle of each half: 300 * 0.03 / 4; z, with one tangent, 40 * 0.03 * 4 / 27.
    EXPECT_NEAR(bounds.exact_union.max.y, 0.5f + 2.25f, 1e-4f);
    EXPECT_NEAR(bounds.exact_union.max.z, 0.5f + 0.177778f, 1e-4f);
    EXPECT_NEAR(bounds.exact_union.min.y, -0.5f, 1e-4f);
    EXPECT_GE(bounds.conservative.max.y, bounds.exact_union.max.y);
}

TEST(FindExtrema, ReturnsTimesWithSlopeZero)
{
    Channel channel;
    channel.path = Path::scale;
    channel.interpolation = Interpolation::cubic;
    channel.times = {1.0f, 3.0f};
    // x rises linearly, y overshoots at its end, z is constant.
    channel.values = {0, 0, 0, 0, 0, 5, 1, 3, 0, 1, -1.5f, 0, 2, 2, 5, 0, 0, 0};
    const auto times = find_extrema(channel);
    ASSERT_EQ(times.size(), 1u);
    EXPECT_GT(times[0], 1.0);
    EXPECT_LT(times[0], 3.0);
    std::array<float, 3> before{}, at{}, after{};
    sample_clamped(channel, times[0] - 0.01, before);
    sample_clamped(channel, times[0], at);
    sample_clamped(channel, times[0] + 0.01, after);
    EXPECT_GT(at[1], before[1]);
    EXPECT_GT(at[1], after[1]);
    channel.interpolation = Interpolation::linear;
    EXPECT_TRUE(find_extrema(channel).empty());
}

} // namespace
} // namespace vitrine::scene
