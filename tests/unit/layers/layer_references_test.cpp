// Additive layers relative to another clip, or to a clip at another time.
#include <cmath>

#include <gtest/gtest.h>

#include "loaders/scene/layers/animation_layers.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/scenes.hpp"
#include "tests/unit/layers/bar_with_two_clips.hpp"

namespace vitrine::scene {
namespace {

glm::quat turned(double degrees, glm::vec3 axis = {0, 0, 1})
{
    return glm::angleAxis(static_cast<float>(glm::radians(degrees)), axis);
}

Pose pose_of_layers(const Scene& scene, std::vector<PoseLayer> layers)
{
    const AnimationLayers all{.layers = std::move(layers)};
    EXPECT_TRUE(layers_fit(scene, all));
    Pose pose;
    sample_layers(scene, all, 0.0, pose);
    return pose;
}

// The pose of clip 1 at 0.75 s added to clip 0 at 0.5 s, relative to the reference.
Pose added_to_bend(const Scene& scene, std::optional<LayerReference> reference, float weight = 1.0f)
{
    return pose_of_layers(scene, {{.clip = 0, .time = 0.5},
                                  {.clip = 1,
                                   .time = 0.75,
                                   .weight = weight,
                                   .mode = LayerMode::additive,
                                   .reference = std::move(reference)}});
}

TEST(LayerReferences, ReferenceOfItsOwnStartIsTheDefault)
{
    const Scene scene = bar_with_two_clips();
    for (const float weight : {1.0f, -0.5f}) {
        const Pose plain = added_to_bend(scene, std::nullopt, weight);
        for (const auto& reference :
             {LayerReference{.clip = 1}, LayerReference{.clip = 1, .time = -3.0},
              LayerReference{.bound_clip = std::make_shared<const Clip>(scene.clips[1])}})
            for (std::size_t node = 0; node < scene.nodes.size(); ++node)
                EXPECT_EQ(added_to_bend(scene, reference, weight).model[node], plain.model[node]);
    }
}

TEST(LayerReferences, ReferencesDifferByTheirPoses)
{
    const Scene scene = bar_with_two_clips();
    const Pose end = added_to_bend(scene, LayerReference{.clip = 1, .time = 9.0});
    EXPECT_LT(test::difference(end.local[0].translation, {-0.5f, 0, 0}), 1e-6); // 2.5 - 3
    EXPECT_LT(test::difference(end.local[0].scale, glm::vec3(3.5f / 4.0f)), 1e-6);
    EXPECT_LT(test::difference(end.local[1].rotation, turned(45) * turned(-10, {1, 0, 0})), 1e-6); // 40 - 50
    // Clip 0 moves the rotation only: the rest is relative to the static pose.
    const Pose bent = added_to_bend(scene, LayerReference{.clip = 0, .time = 1.0});
    EXPECT_LT(test::difference(bent.local[0].translation, {2.5f, 0, 0}), 1e-6);
    EXPECT_LT(test::difference(bent.local[0].scale, glm::vec3(3.5f)), 1e-6);
    EXPECT_LT(test::difference(bent.local[1].rotation, turned(45) * turned(-90) * turned(40, {1, 0, 0})),
              1e-6);
}

TEST(LayerReferences, MorphWeightsAreRelativeToTheReference)
{
    const Scene scene = test::morphing_quad(); // (0, 0) to (1, 0.5)
    const PoseLayer layer{.clip = 0,
                          .time = 1.0,
                          .mode = LayerMode::additive,
                          .reference = LayerReference{.clip = 0, .time = 0.5}};
    EXPECT_EQ(pose_of_layers(scene, {layer}).morph_weights, (std::vector<float>{0.5f, 0.25f}));
}

} // namespace
} // namespace vitrine::scene
