#include "loaders/scene/preview/clip_name_rank.hpp"
#include "loaders/scene/preview/representative_pose.hpp"

#include <gtest/gtest.h>

#include "tests/support/scenes.hpp"

namespace vitrine::scene {
namespace {

TEST(ClipNameRank, PrefersRepresentativeClips)
{
    const char* const order[] = {"Idle",     "stand01", "walk",       "Run_Forward", "ATTACK",
                                 "Take 001", "reload",  "T-Pose ref", "BOTH_DEATH1"};
    for (std::size_t i = 0; i + 2 < std::size(order); ++i)
        EXPECT_LT(clip_name_rank(order[i]), clip_name_rank(order[i + 1])) << order[i] << ' ' << order[i + 1];
    EXPECT_LT(clip_name_rank("reload"), clip_name_rank("BOTH_DEATH1"));
}

TEST(ClipNameRank, RecognizesWordsAtTheirBoundaries)
{
    const int idle = clip_name_rank("idle"), nothing = clip_name_rank("");
    for (const auto* name :
         {"TORSO_IDLE", "mixamo.com|Idle", "BreathingIdle", "idle2", "idling idle", "idleloop"})
        EXPECT_EQ(clip_name_rank(name), idle) << name;
    for (const auto* name : {"bridle", "grunt", "outstanding", "diet", "Armature|Action", "capital"})
        EXPECT_EQ(clip_name_rank(name), nothing) << name;
    EXPECT_EQ(clip_name_rank("Walking"), clip_name_rank("walk"));
    for (const auto* name : {"crouch_idle", "LEGS_WALKCR", "pain_stand", "CrouchWalk"})
        EXPECT_GT(clip_name_rank(name), nothing) << name;
}

TEST(RepresentativeClip, IsTheBestRankedMovingClip)
{
    auto bar = test::skinned_bar(); // "bend"
    const auto copy_as = [&](const char* name) {
        bar.clips.push_back(bar.clips[0]);
        bar.clips.back().name = name;
    };
    copy_as("death");
    copy_as("run");
    copy_as("run2");
    EXPECT_EQ(select_representative_clip(bar), 2u);
    bar.clips.push_back({"idle", 0.0, 1.0, 30.0, 1, {}});
    EXPECT_EQ(select_representative_clip(bar), 2u) << "nothing moves in the last";
    bar.clips[2].name = "walk";
    bar.clips[4].channels = bar.clips[0].channels;
    EXPECT_EQ(select_representative_clip(bar), 4u) << "now it moves";
    bar.clips[4].channels[0].values = {0, 0, 0, 1, 0, 0, 0.02f, 0.9998f};
    EXPECT_EQ(select_representative_clip(bar), 2u) << "too little motion: still the bind pose";
    bar.clips.resize(2);
    EXPECT_EQ(select_representative_clip(bar), 0u);
    bar.clips.erase(bar.clips.begin());
    EXPECT_EQ(select_representative_clip(bar), 0u) << "a death is better than the bind pose";
    bar.clips.clear();
    EXPECT_EQ(select_representative_clip(bar), none);
    EXPECT_EQ(select_representative_pose(bar).clip, none);
}

// User clips of the server come after the clips of the file.
TEST(RepresentativeClip, IsOneOfTheCandidates)
{
    auto bar = test::skinned_bar(); // "bend"
    bar.clips.push_back(bar.clips[0]);
    bar.clips[1].name = "idle";
    EXPECT_EQ(select_representative_clip(bar), 1u);
    EXPECT_EQ(select_representative_clip(bar, {.count = 1}), 0u);
    EXPECT_EQ(select_representative_pose(bar, {.count = 1}).clip, 0u);
    EXPECT_EQ(select_representative_motion(bar, {.count = 1}).clip, 0u);
    EXPECT_EQ(select_representative_motion(bar, {.count = 0}).clip, none);
    EXPECT_EQ(select_representative_pose(bar, {.count = 9}).clip, 1u) << "more than there are";
    bar.clips[0].channels.clear();
    EXPECT_EQ(select_representative_clip(bar, {.count = 1}), none) << "nothing moves in the only candidate";
    bar.clips[1].name = "BOTH_DEATH1";
    EXPECT_EQ(select_representative_clip(bar), 1u);
    EXPECT_EQ(select_representative_motion(bar, {.count = 1}).clip, none);
}

// A pose library: each clip is one pose.
TEST(RepresentativeClip, MayHoldAConstantPose)
{
    auto bar = test::skinned_bar();
    auto& channel = bar.clips[0].channels.at(0);
    channel.interpolation = Interpolation::linear;
    const auto bent = std::vector<float>(channel.values.end() - 4, channel.values.end());
    channel.times = {0.0f};
    channel.values = bent;
    EXPECT_EQ(select_representative_clip(bar), 0u);
    bar.clips[0].duration = 0.0;
    EXPECT_EQ(select_representative_clip(bar), 0u);
    for (float& v : channel.values)
        v = -v;
    EXPECT_EQ(select_representative_clip(bar), 0u) << "the same rotation";
    channel.times = {0.0f, 1.0f};
    bar.clips[0].duration = 1.0;
    channel.values = {0, 0, 0, 1, 0, 0, 0, -1};
    EXPECT_EQ(select_representative_clip(bar), none) << "the static pose";
    bar.clips.push_back(bar.clips[0]);
    bar.clips[0].channels[0].values = bent;
    bar.clips[0].channels[0].times = {0.0f};
    bar.clips[1].channels[0].values = {0, 0, 0, 1, 0, 0, 0.6f, 0.8f};
    EXPECT_EQ(select_representative_clip(bar), 1u) << "a moving clip is preferred";
}

// A translation counts relative to the model's size.
TEST(RepresentativeClip, DetectsMotionOfSmallModels)
{
    auto bar = test::skinned_bar();
    for (auto& position : bar.meshes[0].positions)
        position *= 1e-5f;
    auto& channel = bar.clips[0].channels.at(0);
    const auto& rest = bar.nodes[channel.node].local.translation;
    channel.path = Path::translation;
    channel.interpolation = Interpolation::linear;
    channel.times = {0.0f, 1.0f};
    channel.values = {rest.x, rest.y, rest.z, rest.x, rest.y + 2e-5f, rest.z};
    EXPECT_EQ(select_representative_clip(bar), 0u);
    channel.values[4] = rest.y + 2e-10f;
    EXPECT_EQ(select_representative_clip(bar), none);
}

// The clip is bent throughout with occasional slight motion: suitable for a still picture, but not for an
// animated one.
TEST(RepresentativeMotion, UsesAClipWithVisibleMotion)
{
    auto bar = test::skinned_bar(); // "bend"
    bar.clips[0].name = "walk";
    bar.clips.push_back(bar.clips[0]);
    bar.clips[1].name = "idle";
    bar.clips[1].channels[0].values = {0, 0, 0.3827f, 0.9239f, 0, 0, 0.3900f, 0.9208f};
    EXPECT_EQ(select_representative_pose(bar).clip, 1u);
    EXPECT_EQ(select_representative_motion(bar).clip, 0u);
    EXPECT_EQ(select_representative_motion(bar).time, select_representative_pose(bar, 0).time);
    bar.clips.push_back(bar.clips[0]);
    bar.clips[2].name = "Stand Up";
    EXPECT_EQ(select_representative_motion(bar).clip, 0u) << "a walk is preferred to standing up";
    bar.clips.pop_back();
    bar.clips[0].name = "Take 001";
    EXPECT_EQ(select_representative_motion(bar).clip, 0u) << "an unknown name";
    bar.clips[0].name = "death";
    EXPECT_EQ(select_representative_motion(bar).clip, 1u) << "little motion is preferred to a death";
    bar.clips[1].channels[0].values = bar.clips[0].channels[0].values;
    bar.clips[0].name = "run";
    EXPECT_EQ(select_representative_motion(bar).clip, 1u) << "an idle clip that moves stays";
    bar.clips.clear();
    EXPECT_EQ(select_representative_motion(bar).clip, none);
}

TEST(RepresentativeMotion, UsesTheClipThatMovesMuchMore)
{
    auto bar = test::skinned_bar();
    bar.clips[0].name = "idle";
    bar.clips[0].channels[0].values = {0, 0, 0.3827f, 0.9239f, 0, 0, 0.3835f, 0.9235f};
    bar.clips.push_back(bar.clips[0]);
    bar.clips[1].name = "run";
    bar.clips[1].channels[0].values = {0, 0, 0.3827f, 0.9239f, 0, 0, 0.3840f, 0.9233f};
    EXPECT_EQ(select_representative_motion(bar).clip, 0u) << "about as little";
    bar.clips[1].channels[0].values = {0, 0, 0.3827f, 0.9239f, 0, 0, 0.3900f, 0.9208f};
    EXPECT_EQ(select_representative_motion(bar).clip, 1u);
}

TEST(RepresentativePose, IsFarFromTheBindPoseAndNotAnOutlier)
{
    auto bar = test::skinned_bar();
    EXPECT_GT(select_representative_pose(bar).time, 0.5) << "it bends until its end";
    // Forward and backward: straight at both ends, bent at 0.75.
    auto& channel = bar.clips[0].channels[0];
    channel.times = {0.0f, 0.75f, 1.0f};
    channel.values.insert(channel.values.end(), {0, 0, 0, 1});
    EXPECT_NEAR(select_representative_pose(bar).time, 0.75, 0.1);
    // Half bent throughout, except at one time.
    const float eighth = 0.38268343f, rest = 0.92387953f;
    channel.times = {0.0f, 0.70f, 0.75f, 0.80f, 1.0f};
    channel.values = {0, 0, eighth, rest, 0,      0,    eighth, rest, 0,      0,
                      1, 0, 0,      0,    eighth, rest, 0,      0,    eighth, rest};
    EXPECT_NEAR(select_representative_pose(bar).time, 0.35, 0.05);
}

TEST(RepresentativePose, EvaluatesFramesAndMorphTargets)
{
    EXPECT_GT(select_representative_pose(test::morphing_quad()).time, 0.5);
    const auto triangle = test::vertex_frame_triangle(8);
    const auto moment = select_representative_pose(triangle);
    EXPECT_EQ(moment.clip, 0u);
    EXPECT_GE(moment.time, 0.0);
    EXPECT_LE(moment.time, triangle.clips[0].duration);
}

} // namespace
} // namespace vitrine::scene
