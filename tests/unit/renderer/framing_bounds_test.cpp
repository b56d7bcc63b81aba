// The number of poses evaluated to frame a clip, and framing with joints.

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/support/scenes.hpp"
#include "tests/unit/renderer/model_framing.hpp"
#include "vk_renderer/camera/camera.hpp"
#include "vk_renderer/camera/framing_bounds.hpp"

namespace vitrine::render {
namespace {

scene::Clip clip_of(double seconds)
{
    scene::Clip clip;
    clip.duration = seconds;
    return clip;
}

TEST(FramingBounds, SamplesThirtyPosesPerSecondAndBothEnds)
{
    const auto times = framing_times(clip_of(2.0), 20'000, true);
    EXPECT_GE(times.size(), 61u);
    EXPECT_EQ(times.front(), 0.0);
    EXPECT_EQ(times.back(), 2.0);
    EXPECT_TRUE(std::ranges::is_sorted(times));
}

TEST(FramingBounds, LimitsTheVerticesOfALongClip)
{
    for (const std::size_t vertices : {100'000u, 1'000'000u, 30'000'000u}) {
        const auto times = framing_times(clip_of(3600.0), vertices, true);
        EXPECT_LE(times.size() * vertices, std::size_t{1} << 28) << vertices;
        EXPECT_GE(times.size() * vertices, std::size_t{1} << 27) << vertices;
        EXPECT_EQ(times.back(), 3600.0);
    }
    EXPECT_EQ(framing_times(clip_of(3600.0), 1u << 31, true).size(), 2u) << "both ends at least";
    EXPECT_GT(framing_times(clip_of(3600.0), 1'000'000, false).size(),
              framing_times(clip_of(3600.0), 1'000'000, true).size());
}

// A control joint at x = -20, far from a bar of 2 meters.
TEST(FramingBounds, ExtendsToJointsByAtMostTheModelSize)
{
    auto scene = test::skinned_bar();
    const auto joints = joint_box(scene, {}, glm::dvec3(0.0));
    ASSERT_FALSE(joints.empty());
    const auto model = scene::static_bounds(scene);
    EXPECT_TRUE(include_joints(model, joints).contains(model));
    EXPECT_TRUE(include_joints(model, joints).contains(joints)) << "those within";
    scene.nodes.emplace_back();
    scene.nodes.back().parent = scene.skins[0].joints[0];
    scene.nodes.back().local.translation = {-20.0f, 0.0f, 0.0f};
    scene.skins[0].joints.push_back(static_cast<std::uint32_t>(scene.nodes.size() - 1));
    scene.skins[0].inverse_bind.emplace_back(1.0f);
    const auto far = joint_box(scene, {}, glm::dvec3(0.0));
    EXPECT_LT(far.min.x, -19.0f);
    const auto all = include_joints(model, far);
    EXPECT_FLOAT_EQ(all.min.x, model.min.x - glm::length(model.size()));
    EXPECT_EQ(all.max.x, model.max.x);
    EXPECT_EQ(joint_box(scene, {0}, {100.0, 0.0, 0.0}).max.x,
              joint_box(scene, {0}, glm::dvec3(0.0)).max.x - 100.0f);
    EXPECT_TRUE(joint_box(test::textured_cube(), {}, glm::dvec3(0.0)).empty());
}

TEST(FramingBounds, MeasuresTheJointsOfLayers)
{
    const auto scene = test::skinned_bar();
    const auto layers = std::make_shared<const scene::AnimationLayers>(
        scene::AnimationLayers{.adjustments = {{.node = 1, .translation = {0.0f, 5.0f, 0.0f}}}});
    const auto rest = joint_box(scene, {}, glm::dvec3(0.0));
    EXPECT_FLOAT_EQ(joint_box(scene, {.layers = layers}, glm::dvec3(0.0)).max.y, rest.max.y + 5.0f);
    EXPECT_EQ(framing_times(scene, *layers, 12, true).size(), 1u) << "the pose is constant";
    const scene::AnimationLayers moving{.layers = {{.clip = 0}}};
    const auto times = framing_times(scene, moving, 12, true);
    EXPECT_EQ(times.size(), 31u);
    EXPECT_DOUBLE_EQ(times.back(), 1.0);
}

// A heel joint slightly below the sole is in the image already: showing the skeleton does not move the
// camera.
TEST(FramingBounds, IgnoresJointsInTheBoundingSphere)
{
    const scene::Aabb model{glm::vec3(-1.0f), glm::vec3(1.0f)};
    const auto framed_height = [&](glm::vec3 joint) {
        return include_joints(model, {glm::min(joint, glm::vec3(0.0f)), glm::max(joint, glm::vec3(0.0f))})
            .max.y;
    };
    EXPECT_EQ(framed_height({0.0f, 1.7f, 0.0f}), 1.0f);
    EXPECT_EQ(framed_height({0.9f, 1.1f, 0.9f}), 1.0f);
    EXPECT_EQ(framed_height({0.0f, 1.8f, 0.0f}), 1.8f);
    EXPECT_EQ(framed_height({1.0f, 1.1f, 1.0f}), 1.1f) << "a corner beside it";
}

// The camera's box grows, the floor stays below the model.
TEST(FramingBounds, KeepsTheFloorUnderTheModel)
{
    const scene::Aabb model{glm::vec3(-1.0f), glm::vec3(1.0f)};
    scene::Aabb framed = model;
    framed.add(glm::vec3(0.0f, -3.0f, 0.0f));
    const auto alone = image_params(View{}, model_framing(model)),
               both = image_params(View{}, Framing{model, framed});
    EXPECT_EQ(alone.ground, both.ground);
    EXPECT_EQ(alone.center, both.center);
    const auto height_of = [](const auto& params, float y) {
        const glm::vec4 at = params.clip_from_centered * glm::vec4(0.0f, y, 0.0f, 1.0f);
        return at.y / at.w;
    };
    EXPECT_GT(height_of(alone, -3.0f), 1.0f);
    EXPECT_LT(height_of(both, -3.0f), 1.0f);
    View explicit_view;
    explicit_view.camera.distance = 5.0f;
    EXPECT_EQ(image_params(explicit_view, Framing{model, framed}).eye,
              image_params(explicit_view, model_framing(model)).eye)
        << "explicit values are kept";
}

// A texel of the shadow map is wider than a rod of half a meter by two kilometers.
TEST(Ground, WeakensShadowsThinnerThanATexel)
{
    const auto strength = [](glm::vec3 size) {
        return image_params(View{}, model_framing({-0.5f * size, 0.5f * size})).ground.y;
    };
    EXPECT_EQ(strength({1.0f, 2.0f, 1.0f}), 1.0f);
    EXPECT_EQ(strength({1.0f, 0.0f, 1.0f}), 1.0f) << "a floor is wide";
    EXPECT_EQ(strength({2000.0f, 0.0f, 0.0f}), 1.0f) << "a line has a width only in the image";
    EXPECT_LT(strength({2000.0f, 0.5f, 0.5f}), 0.05f);
    EXPECT_LT(strength({0.5f, 2000.0f, 0.5f}), 0.05f);
    EXPECT_GT(strength({100.0f, 0.5f, 0.5f}), 0.3f);
}

} // namespace
} // namespace vitrine::render
