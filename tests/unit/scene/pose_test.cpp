#include "loaders/scene/motion/pose.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "tests/support/compare.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::scene {
namespace {

TEST(Pose, PaletteIsTheIdentityAtTheBindPose)
{
    const Scene scene = test::skinned_bar();
    Pose pose;
    static_pose(scene, pose);
    const auto instances = find_instances(scene);
    ASSERT_EQ(instances.size(), 1u);
    ASSERT_EQ(palette_size(instances), 3u);
    std::vector<PaletteEntry> palette(3);
    joint_palette(scene, instances, pose, palette);
    for (const PaletteEntry& entry : palette)
        EXPECT_LT(test::difference(test::transform(entry, {1, 2, 3}), {1, 2, 3}), 1e-6);
}

TEST(Pose, SlerpHasConstantAngularVelocity)
{
    const Scene scene = test::skinned_bar();
    Pose pose;
    for (const double t : {0.0, 0.1, 0.5, 0.9, 1.0}) {
        sample_pose(scene, 0, t, pose);
        const double half = t * std::numbers::pi / 4.0;
        const glm::quat expected(static_cast<float>(std::cos(half)), 0, 0,
                                 static_cast<float>(std::sin(half)));
        EXPECT_LT(test::difference(pose.local[1].rotation, expected), 1e-6);
    }
}

TEST(Pose, ModelIsTheProductOfTheChain)
{
    Scene scene = test::skinned_bar();
    scene.nodes[0].local = {{1, 2, 3}, glm::angleAxis(0.5f, glm::vec3(0, 1, 0)), {1, 2, 3}};
    scene.nodes[1].matrix = glm::mat4(1.0f);
    (*scene.nodes[1].matrix)[1].x = 0.5f;
    Pose pose;
    static_pose(scene, pose);
    EXPECT_LT(test::difference(pose.model[1], to_matrix(scene.nodes[0].local) * *scene.nodes[1].matrix),
              1e-6);
}

TEST(Pose, WeightsAndFramesRestAndFollowTheirChannels)
{
    Scene scene = test::everything();
    Pose pose;
    static_pose(scene, pose);
    EXPECT_EQ(pose.morph_weights, std::vector<float>{0.75f}); // the node's weights, not the mesh's
    EXPECT_EQ(pose.first_weight, (std::vector<std::uint32_t>{0, 0, 0, 1, 1}));
    scene.nodes[2].morph_weights.clear();
    static_pose(scene, pose);
    EXPECT_EQ(pose.morph_weights, std::vector<float>{0.25f});
    sample_pose(test::vertex_frame_triangle(4), 0, 0.15, pose);
    EXPECT_EQ(pose.vertex_frame[0].from, 1u);
    EXPECT_EQ(pose.vertex_frame[0].to, 2u);
    EXPECT_NEAR(pose.vertex_frame[0].fraction, 0.5f, 1e-5f);
}

TEST(Pose, ShowsTheFrameAtItsOwnTime)
{
    Scene scene = test::vertex_frame_triangle(1000);
    Channel& channel = scene.clips.at(0).channels.at(0);
    channel.times.clear();
    channel.values.clear();
    for (int f = 0; f < 1000; ++f) {
        channel.times.push_back(static_cast<float>(f / 15.0));
        channel.values.push_back(static_cast<float>(f));
    }
    scene.clips[0].duration = 999 / 15.0;
    Pose pose;
    for (int f = 0; f < 1000; ++f) {
        sample_pose(scene, 0, f / 15.0, pose);
        const auto frame = static_cast<std::uint32_t>(f);
        EXPECT_EQ(pose.vertex_frame[0], (FrameBlend{frame, frame, 0.0f}));
    }
    sample_pose(scene, 0, 900.25 / 15.0, pose);
    EXPECT_EQ(pose.vertex_frame[0].from, 900u);
    EXPECT_EQ(pose.vertex_frame[0].to, 901u);
    EXPECT_NEAR(pose.vertex_frame[0].fraction, 0.25f, 1e-3f);
}

TEST(Pose, ClampsToTheClip)
{
    Scene scene;
    scene.nodes.emplace_back();
    const Channel slide{.node = 0,
                        .path = Path::translation,
                        .interpolation = Interpolation::linear,
                        .times = {-1, 3},
                        .values = {-10, 0, 0, 30, 0, 0},
                        .after = {.mode = ExtrapolationMode::slope}};
    scene.clips.push_back({.name = "slide", .duration = 2.0, .channels = {slide}});
    const auto windowed = [&](double time) {
        Pose pose;
        sample_pose(scene, 0, time, pose);
        return pose.local[0].translation.x;
    };
    const auto anywhere = [&](double time, ExtrapolationPolicy outside) {
        Pose pose;
        sample_curves(scene, 0, time, outside, pose);
        return pose.local[0].translation.x;
    };
    EXPECT_FLOAT_EQ(windowed(1.5), 15.0f);
    EXPECT_FLOAT_EQ(windowed(9.0), 20.0f);
    EXPECT_FLOAT_EQ(windowed(-9.0), 0.0f);
    EXPECT_FLOAT_EQ(anywhere(9.0, ExtrapolationPolicy::extrapolated), 90.0f);
    EXPECT_FLOAT_EQ(anywhere(9.0, ExtrapolationPolicy::clamped), 30.0f);
    EXPECT_FLOAT_EQ(anywhere(-9.0, ExtrapolationPolicy::extrapolated), -10.0f);
}

TEST(Pose, DetectsWhetherAnythingIsDrawn)
{
    EXPECT_FALSE(draws_anything({}));
    Scene scene = test::skinned_bar();
    EXPECT_TRUE(draws_anything(scene));
    for (Node& node : scene.nodes)
        node.visible = false;
    EXPECT_FALSE(draws_anything(scene));
    scene = test::skinned_bar();
    for (Primitive& primitive : scene.meshes[0].primitives)
        primitive.count = 0;
    EXPECT_FALSE(draws_anything(scene));
}

TEST(Pose, ReuseDoesNotAllocate)
{
    const Scene scene = test::everything();
    Pose pose;
    static_pose(scene, pose);
    const void* before[] = {pose.local.data(), pose.model.data(), pose.morph_weights.data(),
                            pose.first_weight.data()};
    sample_pose(scene, 0, 0.5, pose);
    const void* after[] = {pose.local.data(), pose.model.data(), pose.morph_weights.data(),
                           pose.first_weight.data()};
    EXPECT_TRUE(std::ranges::equal(before, after));
}

TEST(Decompose, ReturnsTranslationRotationScale)
{
    std::mt19937 random(4);
    std::uniform_real_distribution<float> any(-2.0f, 2.0f);
    for (int i = 0; i < 1000; ++i) {
        const Trs trs{{any(random), any(random), any(random)},
                      glm::normalize(glm::quat(any(random), any(random), any(random), any(random))),
                      {any(random), any(random), any(random)}};
        const Trs back = decompose(to_matrix(trs));
        EXPECT_LT(test::difference(to_matrix(trs), to_matrix(back)), 2e-6);
        const int negative = (back.scale.x < 0) + (back.scale.y < 0) + (back.scale.z < 0);
        EXPECT_EQ(negative, trs.scale.x * trs.scale.y * trs.scale.z < 0 ? 1 : 0);
    }
}

// Not the nearest rotation, which would also rotate x: animated glTF nodes keep the direction of x.
TEST(Decompose, KeepsXOfASkewedMatrix)
{
    glm::mat4 skewed(1.0f);
    skewed[0] = {2, 0, 0, 0};
    skewed[1] = {1, 1, 0, 0};
    const Trs trs = decompose(skewed);
    EXPECT_LT(glm::distance(trs.rotation * glm::vec3(1, 0, 0), glm::vec3(1, 0, 0)), 1e-6f);
    EXPECT_LT(glm::distance(trs.scale, glm::vec3(2, 1, 1)), 1e-6f);
}

TEST(Decompose, HandlesSingularMatrices)
{
    for (int axes = 0; axes < 8; ++axes) {
        const glm::vec3 scale(axes & 1 ? 2.0f : 0.0f, axes & 2 ? 3.0f : 0.0f, axes & 4 ? 4.0f : 0.0f);
        const Trs trs{{1, 2, 3}, glm::angleAxis(0.7f, glm::normalize(glm::vec3(1, 2, 3))), scale};
        const Trs back = decompose(to_matrix(trs));
        EXPECT_LT(test::difference(to_matrix(trs), to_matrix(back)), 2e-6) << axes;
        EXPECT_NEAR(glm::length(back.rotation), 1.0f, 1e-6f);
    }
    glm::mat4 parallel(1.0f);
    parallel[1] = parallel[0];
    EXPECT_NEAR(glm::length(decompose(parallel).rotation), 1.0f, 1e-6f);
}

} // namespace
} // namespace vitrine::scene
