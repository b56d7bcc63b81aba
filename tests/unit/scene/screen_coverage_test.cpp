#include "loaders/scene/preview/screen_coverage.hpp"

#include <gtest/gtest.h>

#include "loaders/scene/preview/representative_pose.hpp"
#include "loaders/scene/skinning/skinner.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::scene {
namespace {

// Two quads of side 1, 2 m apart.
Scene two_quads()
{
    Scene scene = test::morphing_quad();
    scene.clips.clear();
    scene.meshes[0].morph_targets.clear();
    scene.meshes[0].morph_weights.clear();
    scene.nodes.push_back(scene.nodes[0]);
    scene.nodes[0].morph_weights.clear();
    scene.nodes[1].morph_weights.clear();
    scene.nodes[1].local.translation = {2.0f, 0.0f, 0.0f};
    return scene;
}

// A clip of 4 s that animates one node with these keys at 0, 1, 2, 3, 4 s.
Clip clip_of(std::uint32_t node, Path path, const std::vector<glm::vec3>& keys, const char* name = "clip")
{
    Channel channel{.node = node, .path = path, .times = {0.0f, 1.0f, 2.0f, 3.0f, 4.0f}, .values = {}};
    for (const auto& key : keys)
        channel.values.insert(channel.values.end(), {key.x, key.y, key.z});
    return {.name = name, .duration = 4.0, .channels = {channel}};
}

std::vector<float> values_of(const Scene& scene, std::initializer_list<Trs> places)
{
    ScreenCoverage fullness(scene);
    Skinner skinner(scene);
    for (const auto& place : places) {
        Pose pose;
        static_pose(scene, pose);
        pose.model[1] = to_matrix(place);
        fullness.add(skinner.skinned_positions(pose));
    }
    return fullness.values();
}

TEST(ScreenCoverage, DropsIfPartsShrinkOrMoveAway)
{
    const auto scene = two_quads();
    Trs rest, small, far, half;
    rest.translation = small.translation = half.translation = {2.0f, 0.0f, 0.0f};
    far.translation = {500.0f, 0.0f, 0.0f};
    small.scale = glm::vec3(0.0f);
    half.scale = glm::vec3(0.5f);
    const auto values = values_of(scene, {rest, small, far, half});
    EXPECT_LT(values[1], 0.4f * values[0]);
    EXPECT_LT(values[2], 0.02f * values[0]);
    EXPECT_GT(values[3], 0.7f * values[0]);
}

TEST(ScreenCoverage, IsZeroForEmptyScenes)
{
    auto scene = two_quads();
    EXPECT_EQ(ScreenCoverage(scene).values().size(), 0u);
    scene.meshes[0].primitives.clear();
    Trs rest;
    EXPECT_EQ(values_of(scene, {rest})[0], 0.0f);
}

// One quad grows during the first second and is hidden from the third on.
TEST(RepresentativePose, AvoidsTimesWithHiddenParts)
{
    const glm::vec3 there(1.0f), gone(0.0f);
    auto scene = two_quads();
    scene.clips = {clip_of(1, Path::scale, {gone, there, there, gone, gone})};
    EXPECT_GT(select_representative_pose(scene).time, 0.3);
    EXPECT_LT(select_representative_pose(scene).time, 2.7);
    scene.clips = {clip_of(0, Path::scale, {there, there, gone, gone, gone}),
                   clip_of(1, Path::scale, {there, there, gone, gone, gone})};
    scene.clips[0].channels.push_back(scene.clips[1].channels[0]);
    EXPECT_LT(select_representative_pose(scene, 0).time, 1.5);
}

TEST(RepresentativePose, AvoidsTimesWithDistantParts)
{
    auto scene = two_quads();
    const glm::vec3 place(2.0f, 0.0f, 0.0f), up(2.0f, 1.0f, 0.0f), away(2.0f, 900.0f, 0.0f);
    scene.clips = {clip_of(1, Path::translation, {place, up, up, place, away})};
    EXPECT_LT(select_representative_pose(scene).time, 3.1);
}

TEST(RepresentativeClip, ExcludesClipsThatHideTheModel)
{
    const glm::vec3 there(1.0f), gone(0.0f), wide(1.5f, 1.0f, 1.0f);
    auto scene = two_quads();
    auto hiding = clip_of(0, Path::scale, {gone, gone, gone, gone, 0.01f * there}, "idle");
    hiding.channels.push_back(clip_of(1, Path::scale, {gone, gone, gone, gone, gone}).channels[0]);
    scene.clips = {hiding};
    EXPECT_EQ(select_representative_clip(scene), none);
    scene.clips[0].name = "Take 001";
    EXPECT_EQ(select_representative_clip(scene), none);
    scene.clips.push_back(clip_of(1, Path::scale, {there, wide, wide, wide, there}, "walk"));
    EXPECT_EQ(select_representative_clip(scene), 1u);
}

} // namespace
} // namespace vitrine::scene
