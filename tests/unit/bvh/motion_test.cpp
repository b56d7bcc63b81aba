// The clip: orders of rotation, positions, frame counts and damaged frames.

#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/bvh/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;

namespace {

// One joint of 170 units along each axis, with these channels and one frame of these values.
scene::Scene one_joint(const std::string& channels, const std::string& values,
                       const std::string& offset = "0 0 0")
{
    return load_bvh_text("HIERARCHY\nROOT a\n{\nOFFSET " + offset + "\nCHANNELS " + channels +
                         "\nEnd Site\n{\nOFFSET 170 0 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n" +
                         values + "\n");
}

std::string with_frames(const std::string& frames, int count = 2)
{
    return arm_hierarchy + "MOTION\nFrames: " + std::to_string(count) + "\nFrame Time: 0.25\n" + frames;
}

const std::string at_rest = "0 0 0 0 0 0 0 0 0 0 0\n";

} // namespace

TEST(BvhMotion, BecomesAClip)
{
    const auto scene = load_bvh_text(arm_hierarchy + arm_motion);
    ASSERT_EQ(scene.clips.size(), 1u);
    const scene::Clip& clip = scene.clips[0];
    EXPECT_EQ(clip.name, "wave");
    EXPECT_EQ(clip.frames, 2u);
    EXPECT_EQ(clip.frame_rate, 4.0);
    EXPECT_EQ(clip.duration, 0.25);
    EXPECT_EQ(clip.channels.size(), 3u) << "hips translate, arm and hand rotate";
    expect_place(joint_at(scene, 0.0, "Hand_end"), {30, 100, 0});
    expect_place(joint_at(scene, 0.25, "Hand"), {10, 120, 5});
    // Turned about Y, then with the arm about Z: from +X to -Z.
    expect_place(joint_at(scene, 0.25, "Hand_end"), {10, 120, -5});
    expect_place(joint_at(scene, 0.125, "Hand"), {5 + 14.1421f, 100 + 14.1421f, 2.5f});
}

// Without an OFFSET the figure would have no bones, and be of another size.
TEST(BvhMotion, BonesOfJointsWithoutAnOffsetAreThoseOfTheFirstFrame)
{
    const auto scene = load_bvh_text(R"(HIERARCHY
ROOT a
{
OFFSET 0 0 0
CHANNELS 3 Xposition Yposition Zposition
JOINT b
{
OFFSET 0 0 0
CHANNELS 2 Yposition Zrotation
JOINT c
{
OFFSET 0 20 0
CHANNELS 1 Xposition
End Site
{
OFFSET 0 1 0
}
}
}
}
MOTION
Frames: 2
Frame Time: 0.5
500 90 5  150 0  2
500 95 5  50 90  3
)");
    EXPECT_EQ(scene.file_space.unit_meters, 0.01) << "171 units high";
    EXPECT_EQ(scene.nodes[0].local.translation, glm::vec3(0.0f)) << "a root may start anywhere";
    EXPECT_EQ(scene.nodes[1].local.translation, glm::vec3(0.0f, 1.5f, 0.0f));
    EXPECT_EQ(scene.nodes[2].local.translation, glm::vec3(0.0f, 0.2f, 0.0f)) << "it has an OFFSET";
    expect_place(joint_at(scene, 0.0, "b"), {500, 240, 5});
    expect_place(joint_at(scene, 0.5, "b"), {500, 145, 5});
    expect_place(joint_at(scene, 0.5, "c"), {480, 148, 5});
}

TEST(BvhMotion, RotationsAreInTheOrderOfTheChannels)
{
    // +X about Z becomes +Y, which Y leaves.
    expect_place(joint_at(one_joint("3 Yrotation Zrotation Xrotation", "90 90 45"), 0, "a_end"), {0, 170, 0});
    // Z applied last: +X about Y becomes -Z, which Z leaves.
    expect_place(joint_at(one_joint("3 Zrotation Yrotation Xrotation", "90 90 45"), 0, "a_end"),
                 {0, 0, -170});
    // X last: +X about Z becomes +Y, which X brings to +Z.
    expect_place(joint_at(one_joint("3 Xrotation Zrotation Yrotation", "90 90 0"), 0, "a_end"), {0, 0, 170});
    expect_place(joint_at(one_joint("2 Zrotation Zrotation", "30 60"), 0, "a_end"), {0, 170, 0});
    expect_place(joint_at(one_joint("1 Zrotation", "3690"), 0, "a_end"), {0, 170, 0});
}

TEST(BvhMotion, AnyAxesMayHavePositions)
{
    expect_place(joint_at(one_joint("2 Zposition Xposition", "3 1", "0 2 0"), 0, "a"), {1, 2, 3});
    expect_place(joint_at(one_joint("3 Zrotation Yposition Zrotation", "45 7 45"), 0, "a_end"), {0, 177, 0});
}

// Exporters disagree whether the positions contain the offset.
TEST(BvhMotion, PositionsNearTheOffsetReplaceIt)
{
    const auto absolute = one_joint("3 Xposition Yposition Zposition", "300 88 200", "0 90 0");
    expect_place(joint_at(absolute, 0, "a"), {300, 88, 200});
    EXPECT_EQ(other_codes(absolute), "");
    const auto relative = one_joint("3 Xposition Yposition Zposition", "300 -2 200", "0 90 0");
    expect_place(joint_at(relative, 0, "a"), {300, 88, 200});
    EXPECT_EQ(other_codes(relative), "bvh_relative_positions");
    const auto zero = one_joint("3 Xposition Yposition Zposition", "0 0 0", "5 0 3");
    expect_place(joint_at(zero, 0, "a"), {5, 0, 3});
}

TEST(BvhMotion, TracksThatNeverChangeHaveOneKey)
{
    const auto scene = load_bvh_text(with_frames("1 2 3 0 0 0 0 0 0 0 45\n1 2 3 0 0 0 0 0 0 0 45\n"));
    ASSERT_EQ(scene.clips[0].channels.size(), 2u);
    for (const scene::Channel& channel : scene.clips[0].channels)
        EXPECT_EQ(channel.times.size(), 1u);
    EXPECT_EQ(scene.clips[0].frames, 2u);
    EXPECT_EQ(scene.clips[0].duration, 0.25);
}

TEST(BvhMotion, KeysStayInOneHemisphere)
{
    const auto scene = load_bvh_text(with_frames("0 0 0 170 0 0 0 0 0 0 0\n0 0 0 190 0 0 0 0 0 0 0\n"));
    const auto& keys = scene.clips[0].channels.at(0).values;
    const glm::quat a(keys[3], keys[0], keys[1], keys[2]), b(keys[7], keys[4], keys[5], keys[6]);
    EXPECT_GT(glm::dot(a, b), 0.9f);
    const glm::vec3 middle = joint_at(scene, 0.125, "Head");
    expect_place(middle, {0, -150, 0});
}

TEST(BvhMotion, FramesMayBeSplitOrJoined)
{
    const std::string first = "0 0 0 0 0 0 0 0 0 0 0", second = "10 0 5 0 0 0 90 0 0 90 0";
    for (const std::string& frames :
         {std::string("0 0 0 0 0\n0 0 0 0 0 0\n10 0\n5 0 0 0 90 0 0 90\n\n0\n"), first + " " + second}) {
        const auto scene = load_bvh_text(with_frames(frames));
        EXPECT_EQ(scene.clips[0].frames, 2u);
        expect_place(joint_at(scene, 0.25, "Hand_end"), {10, 120, -5});
        EXPECT_EQ(other_codes(scene), "");
    }
    const auto extra = load_bvh_text(with_frames(first + " 8 8\n" + second + " 9\n"));
    expect_place(joint_at(extra, 0.25, "Hand_end"), {10, 120, -5});
    EXPECT_EQ(other_codes(extra), "bvh_extra_values bvh_extra_values");
}

TEST(BvhMotion, MissingAndAdditionalFramesAreReported)
{
    const auto missing = load_bvh_text(with_frames(at_rest + at_rest + "0 0 0 0", 5));
    EXPECT_EQ(missing.clips[0].frames, 2u);
    EXPECT_EQ(other_codes(missing), "bvh_frame_count");
    EXPECT_EQ(missing.warnings[0].message, "Frames is 5, but the file has 2 complete frames, which are used");
    const auto additional = load_bvh_text(with_frames(at_rest + at_rest, 1));
    EXPECT_EQ(additional.clips[0].frames, 1u);
    EXPECT_EQ(other_codes(additional), "bvh_frame_count");
    const auto undeclared = load_bvh_text(with_frames(at_rest + at_rest, 0));
    EXPECT_EQ(undeclared.clips[0].frames, 2u);
    EXPECT_EQ(other_codes(undeclared), "bvh_frame_count");
    const auto none = load_bvh_text(with_frames("", 0));
    EXPECT_TRUE(none.clips.empty());
    EXPECT_EQ(other_codes(none), "");
    EXPECT_TRUE(load_bvh_text(with_frames("1 2", 1)).clips.empty());
}

TEST(BvhMotion, RepairsTimesAndValues)
{
    for (const std::string time : {"0", "-1", "nan", "fast", "1e9"}) {
        const auto scene = load_bvh_text(replaced_in(arm_hierarchy + arm_motion, "0.25", time));
        EXPECT_NEAR(scene.clips[0].frame_rate, 30.0, 1e-9) << time;
        EXPECT_EQ(other_codes(scene), "bvh_frame_time") << time;
    }
    const auto scene = load_bvh_text(with_frames("0 0 0 0 0 0 90 0 0 0 0\n0 0 0 0 0 0 nan 0 0 inf 0\n"));
    expect_place(joint_at(scene, 0.25, "Hand"), {0, 120, 0});
    EXPECT_EQ(other_codes(scene), "bvh_number");
}

TEST(BvhMotion, ValuesOfUnknownChannelsAreSkipped)
{
    const auto scene = one_joint("3 Xscale Zrotation Yscale", "2 90 2");
    expect_place(joint_at(scene, 0, "a_end"), {0, 170, 0});
    EXPECT_EQ(other_codes(scene), "bvh_channel_ignored bvh_channel_ignored");
}

TEST(BvhMotion, RejectsWithLineAndReason)
{
    const auto error = [](const std::string& text) { return error_text(try_bvh(text)); };
    EXPECT_EQ(error(with_frames(at_rest + "0 0 x 0\n")),
              "malformed at line 34: 'x' in a frame is not a number");
    EXPECT_EQ(error(with_frames("0,5 0 0\n")), "malformed at line 33: '0,5' in a frame is not a number");
    EXPECT_EQ(error(arm_hierarchy + "MOTION\n0 0 0\n"),
              "malformed at line 31: MOTION is not followed by Frames");
    EXPECT_EQ(error(arm_hierarchy + "MOTION\nFrames: many\n"),
              "malformed at line 31: 'many' is not a number of frames");
}

TEST(BvhMotion, IsLimited)
{
    const auto error = [](const Limits& limits) {
        return error_text(try_bvh(with_frames(at_rest + at_rest), limits));
    };
    Limits limits;
    limits.frames = 1;
    EXPECT_EQ(error(limits), "limit_exceeded at line 33: more than the limit frames = 1");
    limits = {};
    limits.key_values = 29; // 3 + 4 + 4 + 4 a frame
    EXPECT_EQ(error(limits),
              "limit_exceeded at line 33: the numbers of all keys: more than the limit key_values = 29");
    limits.key_values = 30;
    EXPECT_EQ(error(limits), "loaded");
    limits.clips = 0;
    EXPECT_EQ(error(limits), "limit_exceeded at : more than the limit clips = 0");
}
