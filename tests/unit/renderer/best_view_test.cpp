// The automatic view shows the whole model from a useful direction.

#include "vk_renderer/camera/best_view.hpp"

#include <gtest/gtest.h>

#include "loaders/scene/lineup/lineup.hpp"
#include "loaders/scene/skinning/skinner.hpp"
#include "tests/support/scenes.hpp"
#include "tests/unit/renderer/framed_extent.hpp"
#include "tests/unit/renderer/model_framing.hpp"
#include "vk_renderer/camera/camera.hpp"
#include "vk_renderer/camera/silhouette.hpp"

namespace vitrine::render {
namespace {

TEST(BestView, IsThreeQuarterForSymmetricModels)
{
    const auto scene = cuboid({1.0f, 1.0f, 1.0f});
    const auto view = with_best_view(scene, automatic, {});
    EXPECT_FALSE(view.camera.automatic);
    EXPECT_EQ(view.camera.yaw, 30.0f);
    EXPECT_EQ(view.camera.pitch, 15.0f);
    expect_framed(scene, view);
}

TEST(BestView, IgnoresOutliers)
{
    auto scene = cuboid({1.0f, 1.0f, 1.0f});
    const auto alone = with_best_view(scene, automatic, {});
    scene::Node distant = scene.nodes[0];
    distant.local.translation.x = 1e5f;
    distant.local.scale = glm::vec3(0.01f);
    scene.nodes.push_back(distant);
    const auto view = with_best_view(scene, automatic, {});
    EXPECT_EQ(view.framing->min, alone.framing->min);
    EXPECT_EQ(view.framing->max, alone.framing->max);
    EXPECT_EQ(view.camera.distance, alone.camera.distance);
    EXPECT_EQ(view.camera.yaw, alone.camera.yaw);
    const auto orbit = with_best_orbit(scene, automatic, {});
    EXPECT_EQ(orbit.framing->max, alone.framing->max);
}

TEST(BestView, ShowsLongModelsFromTheSide)
{
    const auto along_z = cuboid({0.3f, 0.4f, 4.0f}), along_x = cuboid({4.0f, 0.4f, 0.3f});
    const auto side = with_best_view(along_z, automatic, {}), front = with_best_view(along_x, automatic, {});
    EXPECT_GE(std::abs(side.camera.yaw), 55.0f);
    EXPECT_EQ(front.camera.yaw, 30.0f);
    expect_framed(along_z, side);
    expect_framed(along_x, front);
}

TEST(BestView, ShowsModelsSideBySideFromTheFront)
{
    auto row = cuboid({4.0f, 1.0f, 1.0f});
    row.format = scene::lineup_format;
    const auto view = with_best_view(row, automatic, {});
    EXPECT_EQ(view.camera.yaw, 0.0f);
    EXPECT_GT(view.camera.pitch, 0.0f);
    expect_framed(row, view);
}

TEST(BestView, ShowsFlatModelsAlongTheirNormal)
{
    const auto terrain = with_best_view(cuboid({8.0f, 0.2f, 6.0f}), automatic, {});
    EXPECT_GT(terrain.camera.pitch, 40.0f);
    const auto sign = with_best_view(cuboid({2.0f, 1.0f, 0.02f}), automatic, {});
    EXPECT_LE(std::abs(sign.camera.yaw), 15.0f);
    const auto turned = with_best_view(cuboid({0.02f, 1.0f, 2.0f}), automatic, {});
    EXPECT_NEAR(turned.camera.yaw, 90.0f, 15.0f);
    // A one-sided image is seen from its front, in every orientation.
    auto picture = test::morphing_quad();
    picture.format = "glb";
    picture.materials.resize(1);
    picture.meshes[0].primitives[0].material = 0;
    EXPECT_EQ(with_best_view(picture, automatic, {}).camera.yaw, 15.0f);
    std::swap(picture.meshes[0].indices[0], picture.meshes[0].indices[1]);
    std::swap(picture.meshes[0].indices[3], picture.meshes[0].indices[4]);
    EXPECT_EQ(with_best_view(picture, automatic, {}).camera.yaw, 165.0f) << "its back is culled";
}

// Half a meter by sixty kilometers, diagonal: from the side it would cover a ten thousandth of a pixel.
TEST(BestView, ShowsElongatedModelsFromOneEnd)
{
    const auto turn = glm::mat3_cast(glm::angleAxis(0.7f, glm::normalize(glm::vec3(1.0f, 2.0f, 0.5f))));
    for (const float away : {0.0f, 5000.0f}) {
        auto rod = cuboid({0.5f, 0.4f, 60'000.0f});
        for (auto& position : rod.meshes[0].positions)
            position = turn * position + glm::vec3(away);
        const auto view = with_best_view(rod, automatic, {});
        ASSERT_TRUE(view.framing && view.camera.distance);
        const auto params = image_params(view, model_framing(*view.framing), view.origin);
        glm::vec2 least(1e9f), most(-1e9f);
        for (const auto& position : rod.meshes[0].positions) {
            const glm::dvec3 place = glm::dvec3(position) - view.origin - glm::dvec3(params.center);
            const glm::vec4 at = params.clip_from_centered * glm::vec4(glm::vec3(place), 1.0f);
            ASSERT_GT(at.w, 0.0f) << "in front of the eye";
            least = glm::min(least, glm::vec2(at) / at.w);
            most = glm::max(most, glm::vec2(at) / at.w);
        }
        EXPECT_LT(std::max({most.x, most.y, -least.x, -least.y}), 0.97f);
        EXPECT_GT(most.y - least.y, 1.0f) << "its end appears large";
    }
    // Thin, but visible from its side; an orthographic view has no foreshortening.
    EXPECT_EQ(with_best_view(cuboid({0.5f, 0.5f, 60.0f}), automatic, {}).camera.pitch, 48.0f);
    auto flat = automatic;
    flat.camera.orthographic = true;
    expect_framed(cuboid({0.5f, 0.4f, 60'000.0f}), with_best_view(cuboid({0.5f, 0.4f, 60'000.0f}), flat, {}));
}

TEST(BestView, StartsFromTheFrontOfTheModel)
{
    auto scene = cuboid({1.0f, 2.0f, 1.0f});
    scene.file_space.front = {1.0f, 0.0f, 0.0f};
    EXPECT_EQ(with_best_view(scene, automatic, {}).camera.yaw, 120.0f);
    EXPECT_EQ(front_yaw(scene, {}), 90.0f);
    scene.file_space.front = {0.0f, 0.0f, 1.0f};
    // Feet override the format's front direction if they differ.
    for (const auto* name : {"foot.L", "LeftToeBase", "foot.R", "RightToeBase"}) {
        const bool toe = std::string_view(name).contains("Toe");
        scene.nodes.emplace_back().name = name;
        if (toe) scene.nodes.back().parent = static_cast<std::uint32_t>(scene.nodes.size() - 2);
        if (toe) scene.nodes.back().local.translation = {-0.2f, -0.05f, 0.0f};
    }
    EXPECT_NEAR(with_best_view(scene, automatic, {}).camera.yaw, -60.0f, 1e-3f);
    EXPECT_NEAR(front_yaw(scene, {}), -90.0f, 1e-3f);
    EXPECT_EQ(front_yaw(cuboid({2.0f, 2.0f, 0.01f}), {}), 0.0f);
    EXPECT_EQ(front_yaw(cuboid({0.01f, 2.0f, 2.0f}), {}), 90.0f) << "flat models: along the normal";
    EXPECT_EQ(front_yaw(scene::Scene(), {}), 0.0f);
}

// A one-sided ceiling that faces down.
TEST(BestView, ShowsModelsFromBelowIfCulledFromAbove)
{
    auto floor = test::morphing_quad();
    floor.format = "glb";
    for (auto& position : floor.meshes[0].positions)
        position = {position.x, 0.0f, position.y};
    const auto looks_down = with_best_view(floor, automatic, {});
    std::swap(floor.meshes[0].indices[0], floor.meshes[0].indices[1]);
    std::swap(floor.meshes[0].indices[3], floor.meshes[0].indices[4]);
    const auto looks_up = with_best_view(floor, automatic, {});
    EXPECT_LT(looks_down.camera.pitch, -30.0f);
    EXPECT_GT(looks_up.camera.pitch, 30.0f);
    floor.format = "obj"; // double-sided
    EXPECT_GT(with_best_view(floor, automatic, {}).camera.pitch, 30.0f);
}

// A node with negative scale reverses the winding, but not the visible side.
TEST(BestView, HandlesMirroredNodes)
{
    auto picture = test::morphing_quad(); // faces +z
    picture.format = "glb";
    for (const float mirror : {1.0f, -1.0f}) {
        picture.nodes[0].local.scale = {mirror, 1.0f, 1.0f};
        EXPECT_EQ(with_best_view(picture, automatic, {}).camera.yaw, 15.0f) << mirror;
        picture.nodes[0].local.scale = {1.0f, 1.0f, mirror};
        EXPECT_EQ(with_best_view(picture, automatic, {}).camera.yaw, mirror > 0.0f ? 15.0f : 165.0f);
    }
}

TEST(BestView, HandlesOrthographicViews)
{
    auto view = automatic;
    view.camera.orthographic = true;
    const auto scene = cuboid({1.0f, 3.0f, 2.0f});
    expect_framed(scene, with_best_view(scene, view, {}));
}

TEST(BestView, LeavesOtherViewsUnchanged)
{
    const auto scene = cuboid({1.0f, 1.0f, 4.0f});
    View fixed{.camera = {.yaw = 10.0f}};
    EXPECT_EQ(with_best_view(scene, fixed, {}).camera.yaw, 10.0f);
    EXPECT_FALSE(with_best_view(scene, fixed, {}).framing);
    auto aimed = automatic;
    aimed.camera.target = glm::vec3(1.0f, 2.0f, 3.0f);
    EXPECT_EQ(with_best_view(scene, aimed, {}).camera.target, aimed.camera.target);
}

TEST(BestView, IsThreeQuarterForAnEmptyScene)
{
    for (const auto& view :
         {with_best_view({}, automatic, {}), with_best_view(cuboid(glm::vec3(1e30f)), automatic, {}),
          with_best_view(cuboid(glm::vec3(1.0f)), automatic, {7, 0.0})}) {
        EXPECT_EQ(view.camera.yaw, 30.0f);
        EXPECT_FALSE(view.camera.distance);
    }
    const auto point = with_best_view(cuboid(glm::vec3(0.0f)), automatic, {});
    EXPECT_FALSE(point.camera.distance) << "no size to fit";
}

TEST(Silhouette, CountsFrontAndBackFaces)
{
    auto quad = test::morphing_quad(); // 1 x 1, faces +z
    scene::Pose pose;
    scene::static_pose(quad, pose);
    scene::Skinner skinner(quad);
    const auto meshes = skinner.skin_positions(pose);
    SilhouettePainter painter;
    const auto paint = [&](float yaw) {
        return painter.paint(quad, skinner.instances(), skinner.palette(), meshes, view_axes(yaw, 0.0f),
                             glm::vec3(0.0f), 1.0f);
    };
    EXPECT_NEAR(paint(0.0f).front, 0.25f, 0.02f);
    EXPECT_EQ(paint(0.0f).back, 0.0f);
    EXPECT_NEAR(paint(60.0f).front, 0.125f, 0.02f);
    EXPECT_NEAR(paint(180.0f).back, 0.25f, 0.02f);
    quad.format = "glb";
    quad.materials.resize(1);
    quad.meshes[0].primitives[0].material = 0;
    EXPECT_EQ(paint(180.0f).back, 0.0f) << "culled";
}

} // namespace
} // namespace vitrine::render
