#include "loaders/md3/animation_config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace vitrine;

namespace {

struct Parsed {
    std::vector<md3::Animation> animations;
    std::vector<scene::Warning> warnings;
};

Parsed parsed(const std::string& text)
{
    io::WarningLog log;
    auto animations = md3::parse_animation_config(std::as_bytes(std::span(text)), log);
    return {std::move(animations), log.take()};
}

// "name first*count@rate", with "<" where it runs backwards.
std::string told(const md3::Animation& animation)
{
    return animation.name + " " + std::to_string(animation.first) + "*" + std::to_string(animation.count) +
           "@" + std::to_string(static_cast<int>(animation.rate)) + (animation.backwards ? "<" : "");
}

std::string all(const std::string& text)
{
    std::string out;
    for (const auto& animation : parsed(text).animations)
        out += (out.empty() ? "" : ", ") + told(animation);
    return out;
}

// As the game reads it: in order, whatever the comments say.
const std::string in_order = R"(
sex m
footsteps boot
headoffset 0 0 0
0 30 0 20
29 1 0 20
30 30 0 20
59 1 0 20
60 30 0 20
89 1 0 20
90 40 0 15
130 6 0 15
136 6 0 15
142 5 0 20
147 4 0 20
151 1 0 15
152 1 0 15
153 8 8 20
161 12 12 20
)";

} // namespace

TEST(Md3AnimationConfig, LegsAreCountedBehindTheTorsosOwn)
{
    const auto found = parsed(in_order).animations;
    ASSERT_EQ(found.size(), 15u);
    EXPECT_EQ(told(found[0]), "BOTH_DEATH1 0*30@20");
    EXPECT_EQ(told(found[6]), "TORSO_GESTURE 90*40@15");
    EXPECT_EQ(told(found[12]), "TORSO_STAND2 152*1@15");
    EXPECT_EQ(told(found[13]), "LEGS_WALKCR 90*8@20"); // 63 frames are the torso's alone
    EXPECT_EQ(told(found[14]), "LEGS_WALK 98*12@20");
    EXPECT_EQ(found[0].moves, md3::Moves::both);
    EXPECT_EQ(found[6].moves, md3::Moves::torso);
    EXPECT_EQ(found[14].moves, md3::Moves::legs);
    EXPECT_TRUE(parsed(in_order).warnings.empty());
}

TEST(Md3AnimationConfig, CommentsNameAnimations)
{
    EXPECT_EQ(all("10 5 0 25 // TORSO_WAVE (new)\n15 4 4 10\t//LEGS_FLY\n0 2 0 0\n"),
              "TORSO_WAVE 10*5@25, LEGS_FLY 10*4@10, BOTH_DEATH2 0*2@1");
}

TEST(Md3AnimationConfig, NamesStandInFrontToo)
{
    EXPECT_EQ(all("sex f\nBOTH_DEATH1 0 30 -1 20 // LEGS_FLY\nTORSO_TALK 30 9 0 15\nLEGS_RUN 50 14 14 20"),
              "BOTH_DEATH1 0*30@20, TORSO_TALK 30*9@15, LEGS_RUN 30*14@20");
    EXPECT_EQ(all("LEGS\xff 0 1 0 10"), "") << "no name";
    EXPECT_EQ(all("headoffset 0 0 0"), "") << "three numbers are no animation";
}

TEST(Md3AnimationConfig, ANegativeCountRunsBackwards)
{
    EXPECT_EQ(all("5 -4 0 10"), "BOTH_DEATH1 5*4@10<");
    EXPECT_EQ(all("5 0 0 -10"), "BOTH_DEATH1 5*1@10");
}

TEST(Md3AnimationConfig, ARateOfNothingIsOneFrameASecond)
{
    for (const std::string rate : {"0", "-0", "1e-300", "-1e-300"})
        EXPECT_EQ(parsed("0 5 0 " + rate).animations.at(0).rate, 1.0) << rate;
    EXPECT_EQ(parsed("0 5 0 -0.5").animations.at(0).rate, 0.5);
}

// A clip goes round as a whole or not at all.
TEST(Md3AnimationConfig, ALoopOfSomeFramesIsAWarning)
{
    const auto found = parsed("0 8 0 25\n8 8 8 25\n16 8 3 25 // LEGS_JUMP\n");
    ASSERT_EQ(found.warnings.size(), 1u);
    EXPECT_EQ(found.warnings[0].code, "md3_loop");
    EXPECT_EQ(found.warnings[0].where, "line 3");
    EXPECT_THAT(found.warnings[0].message, testing::HasSubstr("the last 3 of 8 frames"));
}

TEST(Md3AnimationConfig, BrokenLinesAreWarnings)
{
    const auto found = parsed("0 30 0 25\n30 nothing\n1e99 1 0 5\n");
    EXPECT_EQ(found.animations.size(), 2u);
    ASSERT_EQ(found.warnings.size(), 2u);
    EXPECT_EQ(found.warnings[0].where, "line 2");
    EXPECT_EQ(found.warnings[1].where, "line 3");
    EXPECT_EQ(all(""), "");
}
