#include "loaders/scene/layers/animation_layers.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "loaders/scene/skinning/skinner.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/scenes.hpp"
#include "tests/unit/layers/bar_with_two_clips.hpp"

namespace vitrine::scene {
namespace {

glm::quat about_z(double degrees)
{
    return glm::angleAxis(static_cast<float>(glm::radians(degrees)), glm::vec3(0, 0, 1));
}

Pose pose_of(const Scene& scene, std::vector<PoseLayer> layers, double time,
             std::vector<JointAdjustment> adjustments = {})
{
    const AnimationLayers all{std::move(layers), std::move(adjustments), {}};
    EXPECT_TRUE(layers_fit(scene, all));
    Pose pose;
    sample_layers(scene, all, time, pose);
    return pose;
}

TEST(AnimationLayers, OneWholeLayerIsTheClip)
{
    const Scene scene = bar_with_two_clips();
    for (const std::uint32_t clip : {0u, 1u})
        for (const double time : {0.0, 0.3, 1.0}) {
            Pose alone;
            sample_pose(scene, clip, time, alone);
            const Pose layered = pose_of(scene, {{.clip = clip}}, time);
            for (std::size_t node = 0; node < scene.nodes.size(); ++node)
                EXPECT_EQ(layered.model[node], alone.model[node]);
        }
}

TEST(AnimationLayers, OverrideMixesWhatTheClipHas)
{
    const Scene scene = bar_with_two_clips();
    const Pose pose = pose_of(scene, {{.clip = 0}, {.clip = 1, .time = 0.5, .weight = 0.25f}}, 1.0);
    EXPECT_LT(test::difference(pose.local[0].translation, {0.5f, 0, 0}), 1e-6); // 0 to 2 by a quarter
    EXPECT_LT(test::difference(pose.local[0].scale, glm::vec3(1.5f)), 1e-6);    // 1 to 3
    const auto expected =
        glm::slerp(about_z(90), glm::angleAxis(glm::radians(30.0f), glm::vec3(1, 0, 0)), 0.25f);
    EXPECT_LT(test::difference(pose.local[1].rotation, expected), 1e-6);
    EXPECT_EQ(pose.local[1].translation, scene.nodes[1].local.translation) << "no clip has it";
}

TEST(AnimationLayers, AdditiveAddsTheChangeFromTheStart)
{
    const Scene scene = bar_with_two_clips();
    const Pose pose = pose_of(
        scene, {{.clip = 0}, {.clip = 1, .time = 1.0, .weight = 0.5f, .mode = LayerMode::additive}}, 0.5);
    EXPECT_LT(test::difference(pose.local[0].translation, {1, 0, 0}), 1e-6);            // half of 2
    EXPECT_LT(test::difference(pose.local[0].scale, glm::vec3(std::sqrt(2.0f))), 1e-6); // (4 / 2)^0.5
    const auto change = glm::angleAxis(glm::radians(20.0f), glm::vec3(1, 0, 0));        // half of 40
    EXPECT_LT(test::difference(pose.local[1].rotation, about_z(45) * change), 1e-6);
}

TEST(AnimationLayers, AdditiveWeightsMayExceedOne)
{
    const Scene scene = bar_with_two_clips();
    const auto turned = [&](float weight) {
        return pose_of(scene, {{.clip = 0, .time = 1.0, .weight = weight, .mode = LayerMode::additive}}, 0.0)
            .local[1]
            .rotation;
    };
    EXPECT_LT(test::difference(turned(1.5f), about_z(135)), 1e-6);
    EXPECT_LT(test::difference(turned(-1.0f), about_z(-90)), 1e-6);
    EXPECT_LT(test::difference(turned(0.0f), about_z(0)), 1e-6);
}

TEST(AnimationLayers, ScalesThroughZeroStayFinite)
{
    Scene scene = bar_with_two_clips();
    auto& values = scene.clips[1].channels[1].values;
    values = {0, 2, 1, 1, -2, 1};
    const Pose pose = pose_of(scene, {{.clip = 1, .time = 1.0, .mode = LayerMode::additive}}, 0.0);
    EXPECT_LT(test::difference(pose.local[0].scale, {1, -1, 1}), 1e-6);
}

TEST(AnimationLayers, MasksLimitLayers)
{
    const Scene scene = bar_with_two_clips();
    const Pose pose = pose_of(scene, {{.clip = 1, .mask = {0, 1, 0}}}, 1.0);
    EXPECT_EQ(pose.local[0].translation, scene.nodes[0].local.translation);
    EXPECT_GT(test::difference(pose.local[1].rotation, scene.nodes[1].local.rotation), 0.1);
}

TEST(AnimationLayers, TimesRepeatUnlessFixed)
{
    const Scene scene = bar_with_two_clips();
    const auto at = [&](const PoseLayer& layer, double time) { return layer_time(scene, layer, time); };
    EXPECT_DOUBLE_EQ(at({.clip = 0}, 2.25), 0.25);
    EXPECT_DOUBLE_EQ(at({.clip = 0}, 1.0), 1.0) << "the end itself is shown";
    EXPECT_DOUBLE_EQ(at({.clip = 0, .repeats = false}, 2.25), 1.0);
    EXPECT_DOUBLE_EQ(at({.clip = 0, .speed = 0.5}, 0.5), 0.25);
    EXPECT_DOUBLE_EQ(at({.clip = 0, .speed = -1.0}, 0.25), 0.75);
    EXPECT_DOUBLE_EQ(at({.clip = 0, .time = 7.0}, 0.5), 1.0);
    EXPECT_DOUBLE_EQ(at({.clip = 0, .time = -7.0}, 0.5), 0.0);
    EXPECT_DOUBLE_EQ(duration_of(scene, {.layers = {{.clip = 0, .time = 0.5}, {.clip = 1, .speed = 0.5}}}),
                     2.0);
    EXPECT_DOUBLE_EQ(duration_of(scene, {.layers = {{.clip = 0, .time = 0.5}}}), 0.0);
    EXPECT_DOUBLE_EQ(duration_of(scene, {}), 0.0);
}

TEST(AnimationLayers, MorphWeightsBlend)
{
    const Scene scene = test::morphing_quad(); // (0, 0) to (1, 0.5)
    const auto weights = [&](LayerMode mode) {
        return pose_of(scene,
                       {{.clip = 0, .time = 0.5}, {.clip = 0, .time = 1.0, .weight = 0.5f, .mode = mode}},
                       0.0)
            .morph_weights;
    };
    EXPECT_EQ(weights(LayerMode::override), (std::vector<float>{0.75f, 0.375f}));
    EXPECT_EQ(weights(LayerMode::additive), (std::vector<float>{1.0f, 0.5f}));
}

TEST(AnimationLayers, VertexFramesBlend)
{
    const Scene scene = test::vertex_frame_triangle(5); // frame f is moved by (f, 0, 0); 10 a second
    const auto moved = [&](std::vector<PoseLayer> layers) {
        Skinner skinner(scene);
        return skinner.skin(pose_of(scene, std::move(layers), 0.0)).front().positions.front().x;
    };
    EXPECT_NEAR(moved({{.clip = 0, .time = 0.05}}), 0.5f, 1e-5f);
    EXPECT_NEAR(moved({{.clip = 0, .time = 0.05}, {.clip = 0, .time = 0.35, .weight = 0.5f}}), 2.0f, 1e-5f);
    EXPECT_NEAR(moved({{.clip = 0, .time = 0.1}, {.clip = 0, .time = 0.3, .weight = 1.0f}}), 3.0f, 1e-5f);
    EXPECT_NEAR(moved({{.clip = 0, .time = 0.4, .weight = 0.25f}}), 1.0f, 1e-5f) << "over frame 0";
}

TEST(AnimationLayers, TurnsAboutTheJointsOwnAxes)
{
    const Scene scene = bar_with_two_clips();
    const glm::quat turn = rotation_of_degrees({10.0, 20.0, 30.0});
    const auto about = [](float degrees, glm::vec3 axis) {
        return glm::angleAxis(glm::radians(degrees), axis);
    };
    EXPECT_LT(test::difference(turn, about(10, {1, 0, 0}) * about(20, {0, 1, 0}) * about(30, {0, 0, 1})),
              1e-6);
    const Pose pose = pose_of(scene, {{.clip = 0}}, 1.0, {{.node = 1, .rotation = turn}});
    EXPECT_LT(test::difference(pose.local[1].rotation, about_z(90) * turn), 1e-6);
    EXPECT_LT(test::difference(pose.model[1], pose.model[0] * to_matrix(pose.local[1])), 1e-6);
}

TEST(AnimationLayers, MovesByMetersAlongTheParentsAxes)
{
    Scene scene = bar_with_two_clips();
    scene.nodes[0].local = {{5, 0, 0}, about_z(90), glm::vec3(0.01f)}; // a file in centimeters
    Pose rest;
    static_pose(scene, rest);
    const Pose pose = pose_of(scene, {}, 0.0, {{.node = 1, .translation = {2, 0, 0}}});
    EXPECT_LT(test::difference(glm::vec3(pose.model[1][3] - rest.model[1][3]), {0, 2, 0}), 1e-4);
}

TEST(AnimationLayers, AdjustsNodesWithAMatrix)
{
    Scene scene = bar_with_two_clips();
    scene.nodes[1].matrix = glm::mat4(1.0f);
    (*scene.nodes[1].matrix)[1].x = 0.5f; // shear
    const auto turn = about_z(90);
    const Pose pose = pose_of(scene, {}, 0.0,
                              {{.node = 1, .rotation = turn, .translation = {0, 3, 0}, .scale = {2, 1, 1}},
                               {.node = 1, .translation = {0, 1, 0}}});
    glm::mat4 expected = *scene.nodes[1].matrix * glm::mat4_cast(turn) * to_matrix({.scale = {2, 1, 1}});
    expected[3] = {0, 4, 0, 1};
    EXPECT_LT(test::difference(pose.model[1], pose.model[0] * expected), 1e-6);
}

TEST(AnimationLayers, HelpersFollowTheirJoint)
{
    // The joint's translation and rotation are in a helper above it, its scale in itself.
    Scene scene;
    scene.nodes.push_back({.name = "root"});
    scene.nodes.push_back(
        {.name = "joint.trs", .parent = 0, .local = {{1, 0, 0}, about_z(90)}, .helper_of = 2});
    scene.nodes.push_back({.name = "joint", .parent = 1, .local = {.scale = {1, 3, 1}}});
    const Pose pose = pose_of(
        scene, {}, 0.0, {{.node = 2, .rotation = about_z(45), .translation = {0, 1, 0}, .scale = {2, 1, 1}}});
    const auto expected = to_matrix({{1, 1, 0}, about_z(135), {2, 3, 1}});
    EXPECT_LT(test::difference(pose.model[2], expected), 1e-6);
}

TEST(AnimationLayers, ClipsOfOtherScenesReferToNodesOfThisOne)
{
    const Scene scene = test::skinned_bar();
    auto clip = std::make_shared<Clip>();
    clip->duration = 1.0;
    clip->channels.push_back({.node = 1, .path = Path::translation, .times = {0}, .values = {7, 0, 0}});
    EXPECT_EQ(pose_of(scene, {{.bound_clip = clip}}, 0.0).local[1].translation, glm::vec3(7, 0, 0));
}

TEST(AnimationLayers, PlaceholdersApplyInTheFirstLayerOnly)
{
    Scene scene = bar_with_two_clips();
    scene.clips[1].channels[0].is_placeholder = true;
    EXPECT_EQ(pose_of(scene, {{.clip = 1}}, 1.0).local[0].translation, glm::vec3(3, 0, 0));
    const Pose pose = pose_of(scene, {{.clip = 0}, {.clip = 1}}, 1.0);
    EXPECT_EQ(pose.local[0].translation, scene.nodes[0].local.translation);
    EXPECT_EQ(pose.local[0].scale, glm::vec3(4)) << "its other channels apply";
}

TEST(AnimationLayers, RejectsWhatDoesNotFit)
{
    const Scene scene = bar_with_two_clips();
    const auto fits = [&](PoseLayer layer) { return layers_fit(scene, {.layers = {std::move(layer)}}); };
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(fits({.clip = 1}));
    EXPECT_FALSE(fits({.clip = 2}));
    EXPECT_FALSE(fits({.clip = none}));
    EXPECT_FALSE(fits({.clip = 0, .mask = {1}}));
    EXPECT_FALSE(fits({.clip = 0, .weight = nan}));
    EXPECT_FALSE(fits({.clip = 0, .time = nan}));
    EXPECT_FALSE(fits({.clip = 0, .speed = nan}));
    EXPECT_TRUE(fits({.clip = 0, .reference = LayerReference{.clip = 1, .time = 5.0}}));
    EXPECT_FALSE(fits({.clip = 0, .reference = LayerReference{.clip = 2}}));
    EXPECT_FALSE(fits({.clip = 0, .reference = LayerReference{}}));
    EXPECT_FALSE(fits({.clip = 0, .reference = LayerReference{.clip = 0, .time = double{nan}}}));
    const auto clip_fits = [&](Channel channel) {
        auto clip = std::make_shared<Clip>();
        clip->channels.push_back(std::move(channel));
        return fits({.bound_clip = clip});
    };
    EXPECT_TRUE(clip_fits({.node = 0, .times = {0}, .values = {1, 2, 3}}));
    EXPECT_FALSE(clip_fits({.node = 3, .times = {0}, .values = {1, 2, 3}}));
    EXPECT_FALSE(clip_fits({.node = 0, .times = {0}, .values = {1, 2}}));
    EXPECT_FALSE(clip_fits({.node = 0, .times = {}, .values = {}}));
    EXPECT_FALSE(clip_fits({.node = 0, .path = Path::vertex_frame, .times = {0}, .values = {1}}));
    EXPECT_FALSE(layers_fit(scene, {.adjustments = {{.node = 3}}}));
    EXPECT_FALSE(layers_fit(scene, {.adjustments = {{.node = 0, .translation = {nan, 0, 0}}}}));
    EXPECT_FALSE(layers_fit(scene, {.adjustments = {{.node = 0, .rotation = {0, 0, 0, 0}}}}));
}

} // namespace
} // namespace vitrine::scene
