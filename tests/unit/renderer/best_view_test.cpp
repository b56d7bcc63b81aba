// The automatic view shows the whole model from a useful direction.

#include "vk_renderer/camera/best_view.hpp"

#include <gtest/gtest.h>

#include "loaders/scene/skinning/skinner.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/support/scenes.hpp"
#include "vk_renderer/camera/camera.hpp"
#include "vk_renderer/camera/silhouette.hpp"

namespace vitrine::render {
namespace {

const View automatic{.width = 300, .height = 200, .camera = {.automatic = true}};

// A cuboid around the origin with outward faces.
scene::Scene cuboid(glm::vec3 size)
{
    auto scene = test::textured_cube();
    for (auto& position : scene.meshes[0].positions)
        position *= size;
    return scene;
}

struct Extent {
    glm::vec2 least{1e9f}, most{-1e9f}; // in the image, -1 .. 1
};

// Of all vertices at several moments.
Extent extent_of(const scene::Scene& scene, const View& view, std::uint32_t clip)
{
    const auto params = frame_params(view, view.framing.value_or(scene::rest_bounds(scene)));
    Extent extent;
    for (int step = 0; step <= (clip == scene::none ? 0 : 20); ++step) {
        scene::Pose pose;
        const double time = clip == scene::none ? 0.0 : scene.clips[clip].duration * step / 20.0;
        scene::sample_pose(scene, clip, time, pose);
        for (const auto& position : scene::Skinner(scene).skinned_positions(pose)) {
            const glm::vec4 clip_space =
                params.clip_from_centered * glm::vec4(position - glm::vec3(params.center), 1.0f);
            const glm::vec2 at = glm::vec2(clip_space) / clip_space.w;
            extent.least = glm::min(extent.least, at);
            extent.most = glm::max(extent.most, at);
        }
    }
    return extent;
}

void expect_framed(const scene::Scene& scene, const View& view, std::uint32_t clip = scene::none)
{
    const auto extent = extent_of(scene, view, clip);
    const float largest = std::max({extent.most.x, extent.most.y, -extent.least.x, -extent.least.y});
    EXPECT_LT(largest, 0.97f);
    EXPECT_GT(largest, 0.80f) << "as near as possible";
}

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
    scene::Node crumb = scene.nodes[0];
    crumb.local.translation.x = 1e5f;
    crumb.local.scale = glm::vec3(0.01f);
    scene.nodes.push_back(crumb);
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
        const auto params = frame_params(view, *view.framing, view.origin);
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
    scene.file_space.front = {0.0f, 0.0f, 1.0f};
    // Feet override the format's front direction if they differ.
    for (const auto* name : {"foot.L", "LeftToeBase", "foot.R", "RightToeBase"}) {
        const bool toe = std::string_view(name).contains("Toe");
        scene.nodes.emplace_back().name = name;
        if (toe) scene.nodes.back().parent = static_cast<std::uint32_t>(scene.nodes.size() - 2);
        if (toe) scene.nodes.back().local.translation = {-0.2f, -0.05f, 0.0f};
    }
    EXPECT_NEAR(with_best_view(scene, automatic, {}).camera.yaw, -60.0f, 1e-3f);
}

TEST(BestView, FramesTheClipUnlessOneMomentIsMuchLarger)
{
    auto bar = test::skinned_bar();
    const auto view = with_best_view(bar, automatic, {0, 0.5});
    expect_framed(bar, view, 0);
    // The bar moves away: only the moment is framed, unless the view covers the whole clip.
    bar.clips[0].channels.push_back({.node = 0,
                                     .path = scene::Path::translation,
                                     .interpolation = scene::Interpolation::linear,
                                     .times = {0.0f, 1.0f},
                                     .values = {0, 0, 0, 40, 0, 0}});
    const auto alone = with_best_view(bar, automatic, {0, 0.5});
    std::vector<ClipTime> frame_times;
    for (int step = 0; step <= 20; ++step)
        frame_times.push_back({0, bar.clips[0].duration * step / 20.0});
    const auto all = with_best_view(bar, automatic, {0, 0.5}, frame_times);
    EXPECT_LT(*alone.camera.distance, 0.3f * *all.camera.distance);
    expect_framed(bar, all, 0);
}

// One vertex of thousands extends far in one frame of many.
TEST(BestView, KeepsAllVerticesInAFrameSequence)
{
    auto scene = cuboid(glm::vec3(1.0f));
    auto& mesh = scene.meshes[0];
    const auto corner = mesh.positions.size();
    mesh.positions.resize(corner + 3000, glm::vec3(0.1f));
    mesh.normals.resize(mesh.positions.size(), {0.0f, 1.0f, 0.0f});
    mesh.uv0.resize(mesh.positions.size());
    mesh.tangents.clear();
    for (auto i = static_cast<std::uint32_t>(corner); i + 2 < mesh.positions.size(); i += 3)
        mesh.indices.insert(mesh.indices.end(), {i, i + 1, i + 2});
    mesh.primitives[0].count = static_cast<std::uint32_t>(mesh.indices.size());
    constexpr std::uint32_t frames = 40, long_one = 29;
    for (std::uint32_t frame = 0; frame < frames; ++frame) {
        auto positions = mesh.positions;
        if (frame == long_one) positions[corner + 1501] = {0.0f, 9.0f, 0.0f};
        mesh.frames.positions.insert(mesh.frames.positions.end(), positions.begin(), positions.end());
        mesh.frames.normals.insert(mesh.frames.normals.end(), mesh.normals.begin(), mesh.normals.end());
    }
    mesh.frames.count = frames;
    scene::Channel channel{.node = 0,
                           .path = scene::Path::vertex_frame,
                           .interpolation = scene::Interpolation::linear,
                           .times = {},
                           .values = {}};
    for (std::uint32_t frame = 0; frame < frames; ++frame) {
        channel.times.push_back(static_cast<float>(frame));
        channel.values.push_back(static_cast<float>(frame));
    }
    scene.clips.push_back({.name = "reach", .duration = 39.0, .frame_rate = 1.0, .channels = {channel}});
    const auto valid = scene::validate(scene);
    ASSERT_TRUE(valid) << valid.error().detail << " at " << valid.error().where;
    std::vector<ClipTime> frame_times;
    for (std::uint32_t frame = 0; frame < frames; ++frame)
        frame_times.push_back({0, static_cast<double>(frame)});
    const auto view = with_best_view(scene, automatic, {0, 2.0}, frame_times);
    EXPECT_GT(view.framing->max.y, 8.9f);
    EXPECT_LT(view.framing->max.y, 9.1f);
    const auto params = frame_params(view, *view.framing);
    const glm::vec4 top =
        params.clip_from_centered * glm::vec4(glm::vec3(0.0f, 9.0f, 0.0f) - glm::vec3(params.center), 1.0f);
    EXPECT_LT(std::abs(top.y / top.w), 0.97f);
}

TEST(BestView, KeepsAllVerticesInAnOrbit)
{
    auto aside = cuboid({0.6f, 3.0f, 1.4f});
    for (auto& position : aside.meshes[0].positions)
        position += glm::vec3(5.0f, position.y > 0.0f ? 2.0f * position.x : -1.0f, 0.0f);
    for (const auto& scene : {aside, cuboid({8.0f, 0.2f, 6.0f}), cuboid({0.1f, 7.0f, 0.1f})})
        for (const bool orthographic : {false, true}) {
            auto view = automatic;
            view.camera.orthographic = orthographic;
            const auto first = with_best_orbit(scene, view, {});
            EXPECT_EQ(first.camera.yaw, with_best_view(scene, view, {}).camera.yaw);
            ASSERT_TRUE(first.camera.target);
            EXPECT_EQ(first.camera.target->x, first.framing->center().x) << "it rotates in place";
            float largest = 0.0f;
            for (auto turned = first; turned.camera.yaw < first.camera.yaw + 360.0f;
                 turned.camera.yaw += 5.0f) {
                const auto extent = extent_of(scene, turned, scene::none);
                largest = std::max({largest, extent.most.x, extent.most.y, -extent.least.x, -extent.least.y});
            }
            EXPECT_LT(largest, 0.97f);
            EXPECT_GT(largest, 0.80f) << "as near as possible";
        }
    EXPECT_FALSE(with_best_orbit(cuboid(glm::vec3(0.0f)), automatic, {}).camera.distance) << "a point";
    EXPECT_FALSE(with_best_orbit(aside, View{}, {}).camera.distance) << "explicit values are kept";
}

TEST(BestView, KeepsBoundsOverlaysInTheImage)
{
    auto spike = cuboid({1.0f, 3.0f, 2.0f}); // between opposite corners of its box
    for (auto& position : spike.meshes[0].positions)
        if ((position.x > 0.0f) != (position.y > 0.0f) || (position.x > 0.0f) != (position.z > 0.0f))
            position = 0.1f * position;
    const auto box = scene::rest_bounds(spike);
    const auto reach = [&](const View& view) {
        const auto params = frame_params(view, *view.framing);
        float most = 0.0f;
        for (const float x : {box.min.x, box.max.x})
            for (const float y : {box.min.y, box.max.y})
                for (const float z : {box.min.z, box.max.z}) {
                    const glm::vec4 at = params.clip_from_centered *
                                         glm::vec4(glm::vec3(x, y, z) - glm::vec3(params.center), 1.0f);
                    most = std::max({most, std::abs(at.x / at.w), std::abs(at.y / at.w)});
                }
        return most;
    };
    auto view = automatic;
    EXPECT_GT(reach(with_best_view(spike, view, {})), 1.0f);
    view.overlays.bounds = true;
    EXPECT_LT(reach(with_best_view(spike, view, {})), 0.97f);
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
    scene::rest_pose(quad, pose);
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

// A control joint far from the mesh is in the image when the skeleton is shown, and otherwise has no effect.
TEST(BestView, FramesTheJointsOfTheSkeletonOverlay)
{
    auto scene = test::skinned_bar();
    const auto root = scene.skins[0].joints[0];
    scene.nodes.emplace_back();
    scene.nodes.back().parent = root;
    scene.nodes.back().local.translation = {-20.0f, 0.0f, 0.0f};
    scene.skins[0].joints.push_back(static_cast<std::uint32_t>(scene.nodes.size() - 1));
    scene.skins[0].inverse_bind.emplace_back(1.0f);
    const auto place_of_control = [&](bool skeleton) {
        auto view = automatic;
        view.overlays.skeleton = skeleton;
        view = with_best_view(scene, view, {});
        const auto params = frame_params(view, view.framing.value_or(scene::rest_bounds(scene)));
        scene::Pose pose;
        scene::rest_pose(scene, pose);
        const glm::vec4 at = params.clip_from_centered *
                             glm::vec4(glm::vec3(pose.model.back()[3]) - glm::vec3(params.center), 1.0f);
        return glm::vec2(at) / at.w;
    };
    const auto shown = glm::abs(place_of_control(true)), hidden = glm::abs(place_of_control(false));
    EXPECT_LT(std::max(shown.x, shown.y), 1.0f);
    EXPECT_GT(std::max(hidden.x, hidden.y), 1.0f);
}

} // namespace
} // namespace vitrine::render
