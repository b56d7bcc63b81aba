#include "loaders/worker/child/scene_limits.hpp"

#include <gmock/gmock.h>

#include "tests/support/scenes.hpp"

using namespace vitrine;
using namespace vitrine::worker;
using testing::HasSubstr;

namespace {

scene::Scene bar(double seconds)
{
    auto scene = test::skinned_bar();
    auto& clip = scene.clips.at(0);
    clip.name = "long";
    clip.duration = seconds;
    clip.frame_rate = 30.0;
    clip.frames = 4'000'000'000u;
    return scene;
}

} // namespace

TEST(TrimNames, ReportsNumberAndLocation)
{
    auto scene = test::skinned_bar();
    trim_names(scene);
    EXPECT_TRUE(scene.warnings.empty());
    scene.nodes[1].name = std::string(100'000, 'n');
    trim_names(scene);
    ASSERT_EQ(scene.warnings.size(), 1u);
    EXPECT_EQ(scene.warnings[0].code, "name_cut");
    EXPECT_EQ(scene.warnings[0].where, "/nodes/1");
    EXPECT_EQ(scene.warnings[0].message, "a name is longer than 1024 bytes; truncated");
    scene.nodes[1].name = scene.clips[0].name = std::string(100'000, 'n');
    trim_names(scene);
    EXPECT_EQ(scene.warnings.back().message, "2 names are longer than 1024 bytes; truncated");
}

TEST(TrimClips, CutsALongClipAtTheLimit)
{
    auto scene = bar(1e9);
    scene.clips[0].declared_boxes.resize(1000);
    Limits limits;
    limits.clip_seconds = 10;
    trim_clips(scene, limits);
    EXPECT_EQ(scene.clips.at(0).duration, 10.0);
    EXPECT_EQ(scene.clips[0].frames, 301u) << "one at 0, the last at 10 s";
    EXPECT_EQ(scene.clips[0].declared_boxes.size(), 301u);
    ASSERT_EQ(scene.warnings.size(), 1u);
    EXPECT_EQ(scene.warnings[0].code, "clip_cut");
    EXPECT_EQ(scene.warnings[0].where, "long");
    EXPECT_EQ(scene.warnings[0].message, "the clip lasts 1e+09 s and is cut at the limit clip_seconds = 10");
}

TEST(TrimClips, KeepsOtherClips)
{
    auto scene = bar(10.0);
    Limits limits;
    limits.clip_seconds = 10;
    trim_clips(scene, limits);
    EXPECT_EQ(scene.clips.at(0).frames, 4'000'000'000u);
    EXPECT_TRUE(scene.warnings.empty());
}

TEST(TrimClips, RemovesClipsOutOfRange)
{
    auto scene = bar(1.0);
    scene.clips.push_back(scene.clips[0]);
    scene.clips[0].channels = {{0, scene::Path::scale, scene::Interpolation::linear, {0.0f}, {1, 1, 2e15f}}};
    scene.clips[1].channels = {{0,
                                scene::Path::translation,
                                scene::Interpolation::cubic,
                                {0.0f},
                                {2e15f, 0, 0, 1, 1, 1, 2e15f, 0, 0}}}; // steep, but within the range
    trim_clips(scene, {});
    ASSERT_EQ(scene.clips.size(), 1u);
    EXPECT_EQ(scene.clips[0].channels[0].path, scene::Path::translation);
    EXPECT_EQ(scene.warnings.at(0).code, "clip_out_of_range");
}

TEST(CheckSceneLimits, CountsMeshesOncePerNode)
{
    auto scene = test::textured_cube();
    const auto vertices = scene.meshes[0].positions.size();
    for (int i = 0; i < 3; ++i)
        scene.nodes.push_back(scene.nodes[0]);
    scene.nodes.back().visible = false;
    Limits limits;
    limits.drawn_vertices = 3 * vertices;
    EXPECT_TRUE(check_scene_limits(scene, limits));
    limits.drawn_vertices = 3 * vertices - 1;
    const auto rejected = check_scene_limits(scene, limits);
    ASSERT_FALSE(rejected);
    EXPECT_TRUE(rejected.error().detail.ends_with("the limit drawn_vertices = " +
                                                  std::to_string(limits.drawn_vertices)))
        << rejected.error().detail;

    auto bar = test::skinned_bar();
    limits = {};
    limits.drawn_influences = bar.meshes[0].influences.joints.size() - 1;
    EXPECT_FALSE(check_scene_limits(bar, limits));
}

// Primitives whose triangles were all removed.
TEST(CheckSceneLimits, CountsPrimitivesWithoutVertices)
{
    scene::Scene scene;
    scene.meshes.emplace_back().primitives.resize(10);
    for (int i = 0; i < 3; ++i)
        scene.nodes.emplace_back().mesh = 0;
    EXPECT_TRUE(check_scene_limits(scene, {.drawn_vertices = 30}));
    const auto rejected = check_scene_limits(scene, {.drawn_vertices = 29});
    ASSERT_FALSE(rejected);
    EXPECT_EQ(rejected.error().detail,
              "30 primitives (times the nodes that draw them, counted as one vertex each): "
              "more than the limit drawn_vertices = 29");
}

TEST(CheckSceneLimits, ReportsTheLimitAndTheNumber)
{
    auto scene = test::skinned_bar();
    Limits limits;
    limits.skin_joints = 1;
    const auto rejected = check_scene_limits(scene, limits);
    ASSERT_FALSE(rejected);
    EXPECT_EQ(rejected.error().detail, "2 joints of all skins: more than the limit skin_joints = 1");
}

TEST(CheckSceneLimits, LimitsNodeDepth)
{
    scene::Scene chain;
    for (std::uint32_t level = 0; level < 200; ++level)
        chain.nodes.emplace_back().parent = level == 0 ? scene::none : level - 1;
    Limits limits;
    limits.depth = 6;
    EXPECT_TRUE(check_scene_limits(chain, limits));
    limits.depth = 5;
    const auto kept = check_scene_limits(chain, limits);
    ASSERT_FALSE(kept);
    EXPECT_EQ(kept.error().detail,
              "200 levels of nodes, of which 32 count as one: more than the limit depth = 5");
}
