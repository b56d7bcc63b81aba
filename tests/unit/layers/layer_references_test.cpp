// Additive layers relative to another clip, or to a clip at another time.
#include <cmath>

#include <gtest/gtest.h>

#include "loaders/scene/layers/animation_layers.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::scene {
namespace {

glm::quat turned(double degrees, glm::vec3 axis = {0, 0, 1})
{
    return glm::angleAxis(static_cast<float>(glm::radians(degrees)), axis);
}

// The bar whose clip 0 bends `upper` to 90 degrees about Z within 1 s, with a clip 1 of the same second in
// which `lower` moves from (1, 0, 0) to (3, 0, 0), is scaled from 2 to 4 and `upper` turns from 10 to 50
// degrees about X.
Scene bar_to_stretch()
{
    Scene scene = test::skinned_bar();
    const auto from = turned(10, {1, 0, 0}), to = turned(50, {1, 0, 0});
    Clip clip{.name = "stretch", .duration = 1.0, .channels = {}};
    clip.channels.push_back(
        {.node = 0, .path = Path::translation, .times = {0, 1}, .values = {1, 0, 0, 3, 0, 0}});
    clip.channels.push_back({.node = 0, .path = Path::scale, .times = {0, 1}, .values = {2, 2, 2, 4, 4, 4}});
    clip.channels.push_back({.node = 1,
                             .path = Path::rotation,
                             .times = {0, 1},
                             .values = {from.x, from.y, from.z, from.w, to.x, to.y, to.z, to.w}});
    scene.clips.push_back(std::move(clip));
    return scene;
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
    const Scene scene = bar_to_stretch();
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
    const Scene scene = bar_to_stretch();
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
