// The automatic view keeps the model in the image over clips, sequences and overlays.

#include "vk_renderer/camera/best_view.hpp"

#include <gtest/gtest.h>

#include "loaders/scene/validation/validate.hpp"
#include "tests/support/scenes.hpp"
#include "tests/unit/renderer/framed_extent.hpp"
#include "tests/unit/renderer/model_framing.hpp"
#include "vk_renderer/base/scene_instances.hpp"
#include "vk_renderer/camera/camera.hpp"

namespace vitrine::render {
namespace {

TEST(BestView, FramesTheClipUnlessTheModelMovesFar)
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

TEST(BestView, FramesACrowdClosely)
{
    const auto one = cuboid(glm::vec3(1.0f));
    View wanted = automatic;
    wanted.crowd = 64;
    auto view = with_best_view(one, wanted, {});
    const auto& mesh = one.meshes[0];
    scene::Scene all = one; // the same models as one mesh
    for (const auto& instance : instances_of(one, view, {}, scene::static_bounds(one)))
        for (const auto& position : mesh.positions)
            all.meshes[0].positions.push_back(position + instance.placement.offset);
    all.meshes[0].positions.erase(all.meshes[0].positions.begin(),
                                  all.meshes[0].positions.begin() +
                                      static_cast<std::ptrdiff_t>(mesh.positions.size()));
    all.meshes[0].normals.resize(all.meshes[0].positions.size());
    all.meshes[0].tangents.clear();
    scene::Aabb box;
    for (const auto& position : all.meshes[0].positions)
        box.add(position);
    view.framing = box;
    expect_framed(all, view);
}

// One vertex of thousands extends far in one frame of many.
scene::Scene reaching_scene(std::uint32_t frames)
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
    constexpr std::uint32_t long_one = 29;
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
    return scene;
}

TEST(BestView, KeepsAllVerticesInAFrameSequence)
{
    constexpr std::uint32_t frames = 40;
    const auto scene = reaching_scene(frames);
    const auto valid = scene::validate(scene);
    ASSERT_TRUE(valid) << valid.error().detail << " at " << valid.error().where;
    std::vector<ClipTime> frame_times;
    for (std::uint32_t frame = 0; frame < frames; ++frame)
        frame_times.push_back({0, static_cast<double>(frame)});
    const auto view = with_best_view(scene, automatic, {0, 2.0}, frame_times);
    EXPECT_GT(view.framing->max.y, 8.9f);
    EXPECT_LT(view.framing->max.y, 9.1f);
    const auto params = image_params(view, model_framing(*view.framing));
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
    const auto box = scene::static_bounds(spike);
    const auto reach = [&](const View& view) {
        const auto params = image_params(view, model_framing(*view.framing));
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
        const auto params =
            image_params(view, model_framing(view.framing.value_or(scene::static_bounds(scene))));
        scene::Pose pose;
        scene::static_pose(scene, pose);
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
