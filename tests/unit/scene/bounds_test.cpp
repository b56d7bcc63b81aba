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

namespace vitrine::scene {
namespace {

void expect_box(const Aabb& box, glm::vec3 min, glm::vec3 max)
{
    EXPECT_LT(test::difference(box.min, min), 2e-5);
    EXPECT_LT(test::difference(box.max, max), 2e-5);
}

TEST(Bounds, MatchKnownBoxes)
{
    expect_box(rest_bounds(test::textured_cube()), glm::vec3(-0.5f), glm::vec3(0.5f));
    expect_box(rest_bounds(test::skinned_bar()), {-0.1f, 0, -0.1f}, {0.1f, 2, 0.1f});
    expect_box(rest_bounds(test::vertex_frame_triangle()), {0, 0, 0}, {1, 1, 0});
    EXPECT_TRUE(rest_bounds(Scene{}).empty());
}

TEST(Bounds, CountUsedVerticesOnly)
{
    Scene scene = test::textured_cube();
    scene.meshes[0].positions[0] = glm::vec3(100.0f);
    std::erase(scene.meshes[0].indices, 0u);
    scene.meshes[0].primitives[0].count = 33;
    scene.meshes[0].indices.resize(33);
    EXPECT_LT(rest_bounds(scene).max.x, 1.0f);
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
        rest_pose(scene, pose);
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
    rest_pose(scene, pose);
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
    EXPECT_TRUE(rest_bounds(scene).empty());
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

TEST(JointBoxes, CoverTheVerticesOfEachJoint)
{
    const Scene scene = test::skinned_bar();
    const JointBoxes boxes = joint_boxes(scene);
    ASSERT_EQ(boxes.boxes.size(), 3u);
    expect_box(boxes.boxes[0], {-0.1f, 0, -0.1f}, {0.1f, 1, 0.1f});
    expect_box(boxes.boxes[1], {-0.1f, 1, -0.1f}, {0.1f, 2, 0.1f});
    EXPECT_TRUE(boxes.boxes[2].empty());
    Pose pose;
    sample_pose(scene, 0, 1.0, pose);
    const std::vector<Aabb> moved = joint_bounds(scene, boxes, pose);
    expect_box(moved[1], {-1, 0.9f, -0.1f}, {0, 1.1f, 0.1f});
    EXPECT_TRUE(moved[2].empty());
}

// Meshes without morph targets and frames take a shorter way.
TEST(JointBoxes, AreUnchangedByAMorphTargetWithoutVertices)
{
    for (std::uint32_t seed = 0; seed < 8; ++seed) {
        Scene scene = test::random_scene(seed, {.normalized_weights = seed % 2 == 0});
        scene.clips.clear();
        for (Node& node : scene.nodes)
            node.morph_weights.clear();
        for (Mesh& mesh : scene.meshes) {
            mesh.frames = {};
            mesh.morph_targets.clear();
            mesh.morph_weights.clear();
        }
        const JointBoxes boxes = joint_boxes(scene);
        for (Mesh& mesh : scene.meshes) {
            mesh.morph_targets.resize(1);
            mesh.morph_weights.resize(1);
        }
        const JointBoxes others = joint_boxes(scene);
        ASSERT_EQ(boxes.boxes.size(), others.boxes.size());
        for (std::size_t i = 0; i < boxes.boxes.size(); ++i)
            expect_equal(boxes.boxes[i], others.boxes[i]);
        for (std::size_t i = 0; i < boxes.remainders.size(); ++i) {
            EXPECT_EQ(boxes.remainders[i].vertices, others.remainders[i].vertices);
            EXPECT_EQ(boxes.remainders[i].min_sum, others.remainders[i].min_sum);
            EXPECT_EQ(boxes.remainders[i].max_sum, others.remainders[i].max_sum);
        }
    }
}

TEST(JointBoxes, IncludeMorphTargetsWithOvershoot)
{
    Scene scene = test::morphing_quad();
    expect_box(joint_boxes(scene).boxes[0], {-0.5f, -0.5f, 0}, {0.5f, 1.5f, 1});
    // A cubic from 0 to 0 with the slopes 3 and -3 reaches 0.75; its control points give at most 1.
    scene.clips[0].channels[0].interpolation = Interpolation::cubic;
    scene.clips[0].channels[0].values = {0, 0, 0, 0, 3, 0, -3, 0, 0, 0, 0, 0};
    const Aabb box = joint_boxes(scene).boxes[0];
    EXPECT_GE(box.max.y, 0.5f + 0.75f);
    EXPECT_LE(box.max.y, 0.5f + 1.0f + 1e-5f);
}

// The main guarantee of the module, for any weights.
TEST(ConservativeBounds, ContainExactOnesInRandomScenes)
{
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        const auto method = static_cast<SkinningMethod>(seed / 2 % 3);
        const test::RandomSceneOptions options{.normalized_weights = seed % 3 == 0,
                                               .own_positions =
                                                   method == SkinningMethod::linear && seed % 2 == 1,
                                               .skinning = method,
                                               .extrapolated = seed % 4 == 3};
        const Scene scene = test::random_scene(seed, options);
        const auto valid = validate(scene);
        ASSERT_TRUE(valid.has_value()) << valid.error().where << " " << valid.error().detail;
        const JointBoxes boxes = joint_boxes(scene);
        Pose pose;
        rest_pose(scene, pose);
        EXPECT_TRUE(conservative_bounds(scene, boxes, pose).contains(pose_bounds(scene, pose)))
            << "seed " << seed;
        for (int i = -2; i < 40; ++i) {
            sample_pose(scene, 0, i * 0.05, pose);
            const Aabb conservative = conservative_bounds(scene, boxes, pose);
            const Aabb exact = pose_bounds(scene, pose);
            EXPECT_TRUE(conservative.contains(exact)) << "seed " << seed << " at " << i * 0.05;
            EXPECT_TRUE(options.extrapolated ||
                        glm::length(exact.size()) < 1000.0f); // the unused vertex at 1000 is not included
        }
    }
}

// Half way through a half turn, dual quaternions move the ring out of the hull of both joints' boxes.
TEST(ConservativeBounds, CoverTheArcOfDualQuaternions)
{
    Scene scene = test::skinned_bar();
    scene.skins[0].method = SkinningMethod::dual_quaternion;
    scene.nodes[1].local.translation = {3, 1, 0};
    scene.nodes[1].local.rotation = glm::angleAxis(3.0f, glm::vec3(0, 0, 1));
    Pose pose;
    rest_pose(scene, pose);
    const Aabb exact = pose_bounds(scene, pose);
    EXPECT_TRUE(conservative_bounds(scene, joint_boxes(scene), pose).contains(exact));
    scene.skins[0].method = SkinningMethod::linear;
    EXPECT_FALSE(conservative_bounds(scene, joint_boxes(scene), pose).contains(exact))
        << "the scene must exceed the linear bounds";
}

TEST(JointBoxes, IncludeExtrapolatedMorphWeights)
{
    for (const auto mode : {ExtrapolationMode::slope, ExtrapolationMode::repeat_offset}) {
        Scene scene = test::morphing_quad();
        scene.clips[0].duration = 4.5;
        scene.clips[0].channels[0].after.mode = mode;
        const Aabb box = joint_boxes(scene).boxes[0];
        EXPECT_GE(box.max.y, 0.5f + 4.5f);
        EXPECT_LE(box.max.y, 0.5f + 5.0f + 1e-5f);
    }
}

// Single-precision blending, as on a GPU, must stay inside, too.
TEST(ConservativeBounds, LeaveRoomForSinglePrecision)
{
    const Scene scene = test::random_scene(3, {.normalized_weights = true, .own_positions = false});
    const JointBoxes boxes = joint_boxes(scene);
    Pose pose;
    sample_pose(scene, 0, 0.7, pose);
    const Aabb tight = pose_bounds(scene, pose), wide = conservative_bounds(scene, boxes, pose);
    EXPECT_TRUE(glm::all(glm::lessThan(wide.min, tight.min)));
    EXPECT_TRUE(glm::all(glm::greaterThan(wide.max, tight.max)));
}

TEST(SampleTimes, IncludeBothEndsAllKeysAndTheRate)
{
    Clip clip;
    clip.duration = 1.0;
    clip.channels.push_back({.node = 0, .times = {-1.0f, 0.013f, 0.5f, 7.0f}, .values = {}});
    const std::vector<double> times = sample_times(clip);
    EXPECT_TRUE(std::ranges::is_sorted(times));
    EXPECT_EQ(times.size(), 32u); // 31 of the grid and 0.013; 0.5 is on the grid
    EXPECT_TRUE(std::ranges::count(times, double{0.013f}));
    EXPECT_EQ(times.front(), 0.0);
    EXPECT_EQ(times.back(), 1.0);
    for (std::size_t i = 1; i < times.size(); ++i)
        EXPECT_LE(times[i] - times[i - 1], 1.001 / 30.0);
}

// A blade that turns by 24 degrees per frame reaches farther between its keys.
TEST(SampleTimes, ContinueBetweenDenseKeys)
{
    Clip clip;
    Channel channel;
    for (int frame = 0; frame <= 32; ++frame)
        channel.times.push_back(static_cast<float>(frame) / 30.0f);
    clip.channels.push_back(channel);
    clip.duration = double{channel.times.back()};
    const auto times = sample_times(clip);
    EXPECT_GT(times.size(), channel.times.size() + 30);
    for (const float key : channel.times)
        EXPECT_TRUE(std::ranges::count(times, double{key})) << key;
}

TEST(SampleTimes, IncludeTheKeysOfRepetitions)
{
    Clip clip;
    clip.duration = 2.0;
    clip.channels.push_back({.node = 0,
                             .times = {0.5f, 0.625f, 1.0f},
                             .values = {},
                             .before = {.mode = ExtrapolationMode::repeat},
                             .after = {.mode = ExtrapolationMode::mirror, .repeats = 1}});
    const std::vector<double> times = sample_times(clip, 1.0);
    EXPECT_EQ(times, (std::vector<double>{0.0, 0.125, 0.5, 0.625, 1.0, 1.375, 1.5, 2.0}));
}

TEST(SampleTimes, AreLimited)
{
    Clip clip;
    EXPECT_EQ(sample_times(clip), std::vector<double>{0.0});
    clip.duration = 1e300;
    EXPECT_EQ(sample_times(clip).size(), 4096u);
    clip.duration = 10.0;
    Channel channel{.node = 0, .times = {}, .values = {}};
    for (int i = 0; i < 100'000; ++i)
        channel.times.push_back(static_cast<float>(i) * 1e-4f);
    clip.channels.assign(20, channel);
    const std::vector<double> times = sample_times(clip, 30.0, 500);
    EXPECT_EQ(times.size(), 500u);
    channel.times = {0.0f, 1e-30f};
    channel.after.mode = ExtrapolationMode::repeat;
    clip.channels.assign(20, channel);
    EXPECT_EQ(sample_times(clip, 30.0, 500).size(), 500u);
    EXPECT_EQ(times.back(), 10.0);
}

} // namespace
} // namespace vitrine::scene
