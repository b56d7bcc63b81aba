#include "loaders/scene/layers/bake_motion.hpp"

#include <gtest/gtest.h>

#include "loaders/scene/validation/validate.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::scene {
namespace {

const glm::quat quarter = glm::angleAxis(glm::radians(90.0f), glm::vec3(1, 0, 0));

Scene baked(const Scene& scene, const AnimationLayers& layers)
{
    Scene copy = scene;
    EXPECT_TRUE(bake_motion(copy, layers));
    EXPECT_TRUE(validate(copy, FlatMeshes::allowed));
    return copy;
}

TEST(BakeMotion, HasTheMotionAtEveryFrame)
{
    Scene scene = test::skinned_bar();
    scene.clips[0].frame_rate = 10.0;
    const AnimationLayers layers{.layers = {{.clip = 0, .weight = 0.5f}},
                                 .adjustments = {{.node = 0, .rotation = quarter}}};
    const Scene copy = baked(scene, layers);
    ASSERT_EQ(copy.clips.size(), 1u);
    EXPECT_EQ(copy.clips[0].name, "layers");
    EXPECT_EQ(copy.clips[0].frames, 11u);
    EXPECT_DOUBLE_EQ(copy.clips[0].duration, 1.0);
    ASSERT_EQ(copy.clips[0].channels.size(), 1u) << "the other values do not change";
    EXPECT_EQ(copy.clips[0].channels[0].times.size(), 11u);
    for (const double time : {0.0, 0.1, 0.7, 1.0}) {
        Pose wanted, pose;
        sample_layers(scene, layers, time, wanted);
        sample_pose(copy, 0, time, pose);
        for (std::size_t node = 0; node < scene.nodes.size(); ++node)
            EXPECT_LT(test::difference(pose.model[node], wanted.model[node]), 1e-6);
    }
}

// 32 frames at 30 a second, of a file whose times are floats; and durations of any length.
TEST(BakeMotion, TheTimesOfKeysAscend)
{
    for (const double rate : {29.97, 30.0, 1e5})
        for (const double duration : {1e-9, 1.0666667222976685, 1.0, 0.033333334, 0.9999999, 700.00006}) {
            if (duration * rate > 1e6) continue;
            Scene scene = test::skinned_bar();
            scene.clips[0].frame_rate = rate;
            scene.clips[0].duration = duration;
            for (Channel& channel : scene.clips[0].channels) // over the whole clip
                for (float& time : channel.times)
                    time *= static_cast<float>(duration);
            const Scene copy = baked(scene, {.layers = {{.clip = 0, .weight = 0.5f}}});
            ASSERT_EQ(copy.clips.size(), 1u) << duration;
            EXPECT_EQ(copy.clips[0].channels.at(0).times.back(), static_cast<float>(duration));
        }
    Scene scene = test::skinned_bar();
    scene.clips[0].frame_rate = 30.0;
    scene.clips[0].duration = 1.0666667222976685;
    EXPECT_EQ(baked(scene, {.layers = {{.clip = 0, .weight = 0.5f}}}).clips.at(0).frames, 33u);
}

TEST(BakeMotion, AConstantPoseIsTheStaticOne)
{
    const Scene scene = test::skinned_bar();
    const AnimationLayers layers{.layers = {{.clip = 0, .time = 0.5}}};
    const Scene copy = baked(scene, layers);
    EXPECT_TRUE(copy.clips.empty());
    Pose wanted, pose;
    sample_layers(scene, layers, 0.0, wanted);
    static_pose(copy, pose);
    EXPECT_LT(test::difference(pose.model[1], wanted.model[1]), 1e-6);
}

TEST(BakeMotion, WeightsFramesAndMatrices)
{
    const Scene quad = baked(test::morphing_quad(), {.layers = {{.clip = 0}}});
    Pose pose;
    sample_pose(quad, 0, 0.5, pose);
    EXPECT_NEAR(pose.morph_weights[0], 0.5f, 1e-6f);
    EXPECT_EQ(baked(test::morphing_quad(), {.layers = {{.clip = 0, .time = 1.0}}}).nodes[0].morph_weights,
              (std::vector<float>{1.0f, 0.5f}));
    const Scene frames = baked(test::vertex_frame_triangle(5), {.layers = {{.clip = 0, .time = 0.2}}});
    ASSERT_EQ(frames.clips.size(), 1u) << "the static pose shows frame 0";
    sample_pose(frames, 0, 0.0, pose);
    EXPECT_EQ(pose.vertex_frame[0].from, 2u);
    Scene turned = test::skinned_bar();
    turned.clips.clear();
    turned.nodes[1].matrix = to_matrix(turned.nodes[1].local);
    const Scene copy = baked(turned, {.adjustments = {{.node = 1, .rotation = quarter}}});
    EXPECT_FALSE(copy.nodes[1].matrix);
    EXPECT_LT(test::difference(copy.nodes[1].local.rotation, quarter), 1e-6);
}

TEST(BakeMotion, RejectsEndlessMotions)
{
    Scene scene = test::skinned_bar();
    const AnimationLayers layers{.layers = {{.clip = 0, .speed = 1e-6}}};
    EXPECT_EQ(bake_motion(scene, layers).error(),
              "the motion has 4000001 frames, too many for a model of this size");
    EXPECT_EQ(scene.clips[0].name, "bend");
}

// Over another motion, with the weight 1.
void expect_held(const Scene& scene, const AnimationLayers& left, double time)
{
    const auto held = hold_pose(scene, left, time);
    ASSERT_TRUE(held);
    AnimationLayers over{.layers = {{.clip = 0, .time = 0.3}, {.bound_clip = held->rest, .time = 0.0}}};
    if (held->playing) over.layers.push_back(*held->playing);
    ASSERT_TRUE(layers_fit(scene, over));
    Pose wanted, pose;
    sample_layers(scene, left, time, wanted);
    sample_layers(scene, over, time, pose);
    for (std::size_t node = 0; node < scene.nodes.size(); ++node)
        EXPECT_LT(test::difference(pose.model[node], wanted.model[node]), 1e-6) << node;
    for (std::size_t i = 0; i < wanted.morph_weights.size(); ++i)
        EXPECT_NEAR(pose.morph_weights[i], wanted.morph_weights[i], 1e-6);
}

TEST(HoldPose, CoversEveryMotion)
{
    for (const Scene& scene : {test::skinned_bar(), test::morphing_quad()}) {
        expect_held(scene, {}, 0.0);
        expect_held(scene, {.layers = {{.clip = 0}}}, 0.7);
        expect_held(scene, {.layers = {{.clip = 0, .time = 0.9, .weight = 0.5f}}}, 0.0);
        expect_held(scene, {.layers = {{.clip = 0}, {.clip = 0, .weight = 0.5f}}}, 0.6);
    }
}

TEST(HoldPose, OneClipGoesOn)
{
    const Scene scene = test::skinned_bar();
    EXPECT_TRUE(hold_pose(scene, {.layers = {{.clip = 0}}}, 0.0)->playing);
    EXPECT_FALSE(hold_pose(scene, {.layers = {{.clip = 0, .time = 0.5}}}, 0.0)->playing);
    EXPECT_FALSE(hold_pose(scene, {.layers = {{.clip = 7}}}, 0.0)) << "another scene's layers";
    Scene large = scene;
    large.nodes.resize(max_held_nodes + 1);
    EXPECT_FALSE(hold_pose(large, {}, 0.0));
}

} // namespace
} // namespace vitrine::scene
