#include <gtest/gtest.h>

#include "server/cli/pose_options.hpp"

using namespace vitrine;
using namespace vitrine::cli;

namespace {

scene::Clip clip(std::string name, double start_time, double duration, double frame_rate)
{
    return {.name = std::move(name),
            .start_time = start_time,
            .duration = duration,
            .frame_rate = frame_rate,
            .frames = 0,
            .channels = {}};
}

scene::Scene some_clips()
{
    scene::Scene scene;
    scene.clips = {clip("Walk_Slow", 10.0, 2.0, 24.0), clip("walk", 0.0, 1.0, 0.0),
                   clip("1", 0.0, 3.0, 10.0)};
    return scene;
}

ChosenPose choose(const PoseArguments& arguments, const scene::Scene& scene = some_clips())
{
    return choose_pose(scene, arguments).value();
}

} // namespace

TEST(FindClip, ExactThenIndexThenPart)
{
    const auto scene = some_clips();
    EXPECT_EQ(select_clip(scene, "walk").value(), 1u);
    EXPECT_EQ(select_clip(scene, "1").value(), 2u) << "a name before an index";
    EXPECT_EQ(select_clip(scene, "0").value(), 0u);
    EXPECT_EQ(select_clip(scene, "2").value(), 2u);
    EXPECT_EQ(select_clip(scene, "c0").value(), 0u) << "the id that `inspect` prints";
    EXPECT_EQ(select_clip(scene, "c2").value(), 2u);
    EXPECT_FALSE(select_clip(scene, "c3").has_value());
    EXPECT_FALSE(select_clip(scene, "c").has_value());
    EXPECT_EQ(select_clip(scene, "Slow").value(), 0u);
    EXPECT_EQ(select_clip(scene, "alk").value(), 0u) << "the first";
    EXPECT_EQ(select_clip(scene, "SLOW").value(), 0u);
}

TEST(ChoosePose, NoneIsTheStaticPoseUnlessAClipHasTheName)
{
    auto scene = some_clips();
    EXPECT_EQ(choose_pose(scene, {.clip = "none"}).value().clip, scene::none);
    scene.clips[1].name = "none";
    EXPECT_EQ(choose_pose(scene, {.clip = "none"}).value().clip, 1u);
}

TEST(FindClip, ListsTheNamesInTheError)
{
    auto scene = some_clips();
    EXPECT_EQ(select_clip(scene, "run").error(), "there is no clip 'run' among 3: 'Walk_Slow', 'walk', '1'");
    EXPECT_FALSE(select_clip(scene, "3").has_value());
    EXPECT_FALSE(select_clip(scene, "-1").has_value());
    scene.clips.resize(20);
    EXPECT_TRUE(select_clip(scene, "run").error().ends_with(", ..."));
    EXPECT_EQ(select_clip(scene::Scene(), "run").error(), "there is no clip 'run': the file has no clips");
}

TEST(ChoosePose, NoArgumentsGiveTheStaticPose)
{
    EXPECT_EQ(choose({}).clip, scene::none);
    EXPECT_EQ(choose({.no_extrapolation = true}).clip, scene::none);
    EXPECT_EQ(choose({.time = 1.0}, scene::Scene()).clip, scene::none) << "no clips: static at every time";
    EXPECT_FALSE(choose_pose(scene::Scene(), {.clip = "0"}).has_value());
}

TEST(ChoosePose, TimesOfAClip)
{
    EXPECT_EQ(choose({.clip = "walk"}).clip, 1u);
    EXPECT_EQ(choose({.clip = "walk"}).time, 0.0);
    EXPECT_EQ(choose({.clip = "Slow", .time = 0.5}).time, 0.5);
    EXPECT_EQ(choose({.clip = "Slow", .file_time = 10.5}).time, 0.5);
    EXPECT_EQ(choose({.clip = "Slow", .frame = 12}).time, 0.5);
    EXPECT_EQ(choose({.clip = "walk", .frame = 15}).time, 0.5) << "30 per second without a declared rate";
}

TEST(ChoosePose, TimesWithoutClipUseTheFirstClip)
{
    EXPECT_EQ(choose({.time = 0.5}).clip, 0u);
    EXPECT_EQ(choose({.time = 0.5}).time, 0.5);
    EXPECT_EQ(choose({.file_time = 10.5}).time, 0.5);
    EXPECT_EQ(choose({.frame = 252}).time, 0.5) << "frames of the file, not of the clip";
}

TEST(ChoosePose, ClipTimesAreClamped)
{
    EXPECT_EQ(choose({.clip = "walk", .time = 5.0}).time, 1.0);
    EXPECT_EQ(choose({.clip = "walk", .time = -5.0}).time, 0.0);
    EXPECT_EQ(choose({.clip = "walk", .frame = 300}).time, 1.0);
}

TEST(ChoosePose, FileTimesMayBeOutside)
{
    EXPECT_EQ(choose({.clip = "Slow", .file_time = 1.5}).time, -8.5);
    EXPECT_EQ(choose({.clip = "Slow", .file_time = 15.0}).time, 5.0);
    EXPECT_EQ(choose({.frame = 24}).time, -9.0) << "the file's frame 24, at 1 s";
}

TEST(Evaluate, ExtrapolatesOutsideTheClipByDefault)
{
    auto scene = some_clips();
    scene.nodes.emplace_back();
    scene.clips[0].channels.push_back({.node = 0,
                                       .path = scene::Path::translation,
                                       .interpolation = scene::Interpolation::linear,
                                       .times = {0.0f, 1.0f},
                                       .values = {0, 0, 0, 1, 0, 0},
                                       .after = {.mode = scene::ExtrapolationMode::slope}});
    scene::Pose pose;
    evaluate(scene, choose({.file_time = 15.0}, scene), pose);
    EXPECT_EQ(pose.local[0].translation.x, 5.0f);
    evaluate(scene, choose({.file_time = 15.0, .no_extrapolation = true}, scene), pose);
    EXPECT_EQ(pose.local[0].translation.x, 1.0f);
    evaluate(scene, choose({.time = 5.0}, scene), pose);
    EXPECT_EQ(pose.local[0].translation.x, 2.0f) << "the end of the clip, not of the keys";
}

TEST(ChoosePose, FileFramesAreOneTimeline)
{
    scene::Scene scene;
    scene.meshes.resize(1);
    scene.meshes[0].frames.count = 46;
    scene.clips = {clip("stand", 0.0, 3.9, 10.0), clip("run", 4.0, 0.5, 10.0)};
    EXPECT_EQ(choose({.frame = 39}, scene).clip, 0u);
    EXPECT_EQ(choose({.frame = 40}, scene).clip, 1u);
    EXPECT_NEAR(choose({.frame = 43}, scene).time, 0.3, 1e-12);
    EXPECT_EQ(choose({.file_time = 4.2}, scene).clip, 1u);
    EXPECT_EQ(choose({.time = 4.2}, scene).clip, 0u) << "counts from the clip's start";
    EXPECT_EQ(choose({.clip = "stand", .frame = 43}, scene).clip, 0u);
    EXPECT_EQ(choose({.frame = 99}, scene).clip, 0u);
}

TEST(ChoosePose, ColladaDocumentHasOneTimeline)
{
    scene::Scene scene;
    scene.clips = {clip("one", 1.0, 1.0, 30.0), clip("two", 3.0, 1.0, 30.0)};
    EXPECT_EQ(choose({.file_time = 3.5}, scene).clip, 0u) << "elsewhere each clip has its own";
    scene.format = "dae";
    EXPECT_EQ(choose({.file_time = 3.5}, scene).clip, 1u);
    EXPECT_NEAR(choose({.file_time = 3.5}, scene).time, 0.5, 1e-12);
    EXPECT_EQ(choose({.file_time = 9.0}, scene).clip, 0u);
    EXPECT_EQ(choose({.clip = "one", .file_time = 3.5}, scene).clip, 0u);
}
