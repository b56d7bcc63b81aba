#include "loaders/scene/lineup/lineup.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "loaders/scene/skinning/skinner.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::scene {
namespace {

SharedScene shared(Scene scene)
{
    return std::make_shared<const Scene>(std::move(scene));
}

// The box of one of the instances in a pose of the lineup.
Aabb box_of(const Scene& scene, const SharedLayers& layers, double time, std::size_t instance)
{
    Pose pose;
    if (layers)
        sample_layers(scene, *layers, time, pose);
    else
        static_pose(scene, pose);
    Aabb box;
    Skinner skinner(scene);
    for (const auto& point : skinner.skin_positions(pose)[instance].positions)
        box.add(point);
    return box;
}

TEST(Lineup, StandsInARowOnTheGround)
{
    const std::array boxes{LineupBox{{{-1, 3, -2}, {1, 7, 4}}}, LineupBox{{{0, -5, 0}, {2, -4, 1}}}};
    const auto places = place_in_row(boxes, LineupSizes::actual);
    // 2 + 2 wide, a tenth of 6 between them.
    EXPECT_LT(test::difference(places[0].translation, glm::vec3(-1.3f, -3, -1)), 1e-6);
    EXPECT_LT(test::difference(places[1].translation, glm::vec3(0.3f, 5, -0.5f)), 1e-6);
    EXPECT_EQ(places[0].scale, glm::vec3(1));
    const auto equal = place_in_row(boxes, LineupSizes::equal);
    EXPECT_LT(test::difference(equal[0].scale, glm::vec3(1.0f / 6)), 1e-6);
    EXPECT_EQ(equal[1].scale, glm::vec3(0.5f));
    EXPECT_NEAR(equal[0].translation.y, -0.5f, 1e-6);
}

TEST(Lineup, TurnsTheFrontToTheViewer)
{
    const std::array boxes{LineupBox{{{0, 0, 0}, {4, 1, 2}}, {1, 0, 0}},
                           LineupBox{{{0, 0, 0}, {4, 1, 2}}, {0, 0, -1}}};
    const auto places = place_in_row(boxes, LineupSizes::actual);
    EXPECT_LT(test::difference(places[0].rotation * glm::vec3(1, 0, 0), glm::vec3(0, 0, 1)), 1e-6);
    EXPECT_LT(test::difference(places[1].rotation * glm::vec3(0, 0, -1), glm::vec3(0, 0, 1)), 1e-6);
    // The first is 2 wide then, the second 4; 0.4 between them.
    EXPECT_NEAR((places[0].rotation * glm::vec3(0, 0, 2)).x + places[0].translation.x, -3.2f, 1e-5);
}

TEST(Lineup, BoxesWithoutExtentTakeNoRoom)
{
    const float inf = std::numeric_limits<float>::infinity();
    const std::array boxes{LineupBox{}, LineupBox{{{-inf, -1, 0}, {inf, 1, 1}}},
                           LineupBox{{{0, 0, 0}, {1, 1, 1}}}};
    for (const auto sizes : {LineupSizes::actual, LineupSizes::equal})
        for (const Trs& place : place_in_row(boxes, sizes))
            EXPECT_TRUE(std::isfinite(place.translation.x + place.translation.y + place.scale.x));
}

TEST(Lineup, MergesScenesWithTheirMotion)
{
    const auto bar = shared(test::skinned_bar()), triangle = shared(test::vertex_frame_triangle());
    const std::array models{LineupModel{bar, "a", 0}, LineupModel{triangle, "b", 0}, LineupModel{bar, "c"}};
    const auto all = make_lineup(models, LineupSizes::actual);
    ASSERT_TRUE(validate(all, FlatMeshes::allowed));
    EXPECT_EQ(all.nodes.size(), 3 + 2 * bar->nodes.size() + triangle->nodes.size());
    EXPECT_EQ(all.meshes.size(), bar->meshes.size() + triangle->meshes.size()) << "one bar";
    EXPECT_EQ(all.skins.size(), 2u);
    ASSERT_EQ(all.clips.size(), 2u);
    const auto layers =
        play_together(std::array{LineupMotion{all.clips[0].duration}, LineupMotion{all.clips[1].duration}});
    ASSERT_TRUE(layers_fit(all, *layers));
    for (const double time : {0.0, 0.25}) {
        Aabb before;
        for (std::size_t i = 0; i < 3; ++i) {
            const auto box = box_of(all, layers, time, i);
            EXPECT_GT(box.min.x, before.empty() ? -1e9f : before.max.x) << i;
            EXPECT_GT(box.min.y, -1e-5f);
            before = box;
        }
    }
    EXPECT_NEAR(box_of(all, layers, 0.25, 2).size().y, 2.0f, 1e-5) << "stands still";
    EXPECT_LT(box_of(all, layers, 1.0, 0).size().y, 1.5f) << "bent";
}

TEST(Lineup, MeasuresTheWholeMotion)
{
    const Scene bar = test::skinned_bar();
    const auto still = box_of_motion(bar, none), moving = box_of_motion(bar, 0);
    EXPECT_NEAR(still.size().x, 0.2f, 1e-5);
    EXPECT_NEAR(moving.min.x, -1.0f, 0.01);
    EXPECT_NEAR(moving.max.y, 2.0f, 0.01);
}

TEST(Lineup, TheLongestMotionLeadsAndOthersRepeat)
{
    const auto layers =
        play_together(std::array{LineupMotion{1.0}, LineupMotion{3.0}, LineupMotion{9.0, 0.5}});
    ASSERT_EQ(layers->layers.size(), 3u);
    EXPECT_EQ(layers->layers[0].clip, 2u);
    Scene scene;
    for (const double duration : {1.0, 3.0, 9.0})
        scene.clips.push_back({.duration = duration});
    EXPECT_EQ(duration_of(scene, *layers), 3.0) << "the one that stands still does not count";
    EXPECT_EQ(layer_time(scene, layers->layers[0], 2.5), 0.5);
    EXPECT_EQ(layer_time(scene, layers->layers[2], 2.5), 0.5) << "repeated";
    EXPECT_EQ(play_together({}), nullptr);
    const auto other =
        play_together(std::array{LineupMotion{1.0}, LineupMotion{3.0}, LineupMotion{9.0, 0.6}});
    EXPECT_NE(layers->key, other->key);
}

} // namespace
} // namespace vitrine::scene
