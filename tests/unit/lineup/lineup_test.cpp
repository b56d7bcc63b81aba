#include "loaders/scene/lineup/lineup.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "loaders/scene/preview/bone_geometry.hpp"
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

Scene bar_of_format(std::string format, double unit_meters)
{
    Scene bar = test::skinned_bar();
    bar.format = std::move(format);
    bar.file_space.unit_meters = unit_meters;
    return bar;
}

TEST(Lineup, UnitsOfGamesAreInches)
{
    for (const std::string format : {"md2", "md3", "md5"})
        EXPECT_EQ(unit_in_row(bar_of_format(format, 1.0)), 0.0254) << format;
    EXPECT_EQ(unit_in_row(bar_of_format("obj", 1.0)), 1.0);
    EXPECT_EQ(unit_in_row(bar_of_format("stl", 0.001)), 0.001);
    const std::array models{LineupModel{shared(bar_of_format("md2", 1.0))},
                            LineupModel{shared(bar_of_format("stl", 0.001))}};
    const auto places = place_models(models, LineupSizes::actual);
    EXPECT_NEAR(places[0].box.size().y, 2 * 0.0254, 1e-6);
    EXPECT_NEAR(places[0].unit, 0.0254, 1e-8);
    EXPECT_EQ(places[1].local.scale, glm::vec3(1.0f)) << "scene space is in meters";
    EXPECT_NEAR(places[1].unit, 0.001, 1e-12);
    EXPECT_NEAR(place_models(models, LineupSizes::equal)[0].box.size().y, 1.0, 1e-6);
}

TEST(Lineup, UnitOrHeightSaysHowLargeAModelIs)
{
    const auto bar = shared(bar_of_format("fbx", 0.01));
    const std::array models{LineupModel{.scene = bar, .scale = {.unit = 0.0254}},
                            LineupModel{.scene = bar, .scale = {.unit = 5.0, .height = 1.8}},
                            LineupModel{.scene = bar}};
    const auto places = place_models(models, LineupSizes::actual);
    EXPECT_NEAR(places[0].box.size().y, 2 * 2.54, 1e-5);
    EXPECT_NEAR(places[1].box.size().y, 1.8, 1e-6);
    EXPECT_NEAR(places[1].unit, 0.009, 1e-8);
    EXPECT_NEAR(places[2].box.size().y, 2.0, 1e-6);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(places[i].box.min.y, 0.0, 1e-6);
        if (i > 0) EXPECT_GT(places[i].box.min.x, places[i - 1].box.max.x);
    }
    const auto all = make_lineup(models, LineupSizes::actual);
    for (std::size_t i = 0; i < 3; ++i) {
        const auto box = box_of(all, nullptr, 0.0, i);
        EXPECT_LT(test::difference(box.min, places[i].box.min), 1e-5) << i;
        EXPECT_LT(test::difference(box.max, places[i].box.max), 1e-5) << i;
    }
    const std::array flat{LineupBox{.box = {{0, 0, 0}, {1, 0, 1}}, .height = 2.0f}};
    EXPECT_EQ(place_in_row(flat, LineupSizes::actual)[0].scale, glm::vec3(1.0f));
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

// Joints without a mesh: hips on the ground and a head above it, which rises by a half in one second.
Scene rising_figure(float height, double unit_meters)
{
    Scene rig{.format = "bvh"};
    rig.file_space.unit_meters = unit_meters;
    rig.nodes = {{.name = "hips"}, {.name = "head", .parent = 0}};
    rig.nodes[1].local.translation = {0.0f, height, 0.0f};
    rig.skins = {{.joints = {0, 1}, .inverse_bind = {glm::mat4(1.0f), glm::mat4(1.0f)}}};
    rig.clips = {{.name = "rise", .duration = 1.0}};
    rig.clips[0].channels = {{.node = 1,
                              .path = Path::translation,
                              .times = {0.0f, 1.0f},
                              .values = {0.0f, height, 0.0f, 0.0f, 1.5f * height, 0.0f}}};
    return rig;
}

TEST(Lineup, BonesOfSkeletonsHaveTheirTrueSizes)
{
    const auto man = shared(with_bone_geometry(rising_figure(1.8f, 0.01)).value()),
               child = shared(with_bone_geometry(rising_figure(0.9f, 1.0)).value());
    const std::array models{LineupModel{man, "man"}, LineupModel{child, "child", 0},
                            LineupModel{shared(test::skinned_bar()), "bar"}};
    const auto places = place_models(models, LineupSizes::actual);
    EXPECT_NEAR(places[0].unit, 0.01, 1e-8);
    EXPECT_NEAR(places[1].unit, 1.0, 1e-8);
    const auto all = make_lineup(models, LineupSizes::actual);
    ASSERT_TRUE(validate(all, FlatMeshes::allowed));
    const auto layers = play_together(std::array{LineupMotion{1.0}});
    // Two bodies each: the bone at the hips, and the end of the chain at the head.
    const auto height_at = [&](std::size_t body, double time) {
        return box_of(all, layers, time, body).max.y - places[body / 2].box.min.y;
    };
    EXPECT_NEAR(height_at(0, 0.0) / height_at(2, 0.0), 2.0, 0.01);
    EXPECT_GT(box_of(all, layers, 0.0, 2).min.x, places[0].box.max.x);
    EXPECT_GT(places[2].box.min.x, places[1].box.max.x);
    EXPECT_NEAR(height_at(3, 1.0) - height_at(3, 0.0), 0.45, 0.001) << "it moves";
    EXPECT_NEAR(height_at(1, 1.0), height_at(1, 0.0), 1e-6) << "it stands still";
}

TEST(Lineup, FindsWhatIsHitOfAModel)
{
    Scene bar = test::skinned_bar();
    bar.materials.emplace_back();
    for (Primitive& primitive : bar.meshes[0].primitives)
        primitive.material = 0;
    const auto shown = shared(std::move(bar)), triangle = shared(test::vertex_frame_triangle());
    const std::array models{LineupModel{triangle, "a"}, LineupModel{shown, "b"}, LineupModel{shown, "c"}};
    const auto all = make_lineup(models, LineupSizes::actual);
    std::size_t drawn = 0;
    for (std::uint32_t node = 0; node < all.nodes.size(); ++node) {
        if (all.nodes[node].mesh == none) continue;
        const std::uint32_t material = all.meshes[all.nodes[node].mesh].primitives[0].material;
        const auto found =
            hit_model(models, {.node = node, .mesh = all.nodes[node].mesh, .material = material});
        EXPECT_EQ(found.model, drawn++);
        const Scene& scene = *models[found.model].scene;
        EXPECT_EQ(scene.nodes[found.hit.node].name, all.nodes[node].name);
        EXPECT_EQ(found.hit.mesh, scene.nodes[found.hit.node].mesh);
        EXPECT_EQ(found.hit.material, scene.meshes[found.hit.mesh].primitives[0].material);
    }
    EXPECT_EQ(drawn, 3u);
    const auto last = static_cast<std::uint32_t>(all.nodes.size()) - 1;
    const auto joint = hit_model(models, {.node = last, .joint = last}).hit;
    EXPECT_EQ(joint.joint, joint.node);
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
