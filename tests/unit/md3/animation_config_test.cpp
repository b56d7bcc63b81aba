#include "loaders/md3/animation_config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace vitrine;

namespace {

struct ParsedConfig {
    std::vector<md3::AnimationRow> animations;
    std::vector<scene::Warning> warnings;
};

ParsedConfig parse_config(const std::string& text)
{
    io::WarningLog log;
    auto animations = md3::parse_animation_config(std::as_bytes(std::span(text)), log);
    return {std::move(animations), log.take()};
}

// "name first*count@rate", with "<" when it plays backwards.
std::string range_text(const md3::AnimationRow& animation)
{
    return animation.name + " " + std::to_string(animation.first) + "*" + std::to_string(animation.count) +
           "@" + std::to_string(static_cast<int>(animation.rate)) + (animation.backwards ? "<" : "");
}

std::string all(const std::string& text)
{
    std::string out;
    for (const auto& animation : parse_config(text).animations)
        out += (out.empty() ? "" : ", ") + range_text(animation);
    return out;
}

// As the game reads it: in order, whatever the comments are.
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

// The names alone.
std::string names(const std::string& text)
{
    std::string out;
    for (const auto& animation : parse_config(text).animations)
        out += (out.empty() ? "" : " ") + animation.name;
    return out;
}

std::string replaced(std::string text, std::string_view what, std::string_view with)
{
    for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
    return text;
}

} // namespace

TEST(Md3AnimationConfig, LegFramesSkipTorsoFrames)
{
    const auto found = parse_config(in_order).animations;
    ASSERT_EQ(found.size(), 15u);
    EXPECT_EQ(range_text(found[0]), "BOTH_DEATH1 0*30@20");
    EXPECT_EQ(range_text(found[6]), "TORSO_GESTURE 90*40@15");
    EXPECT_EQ(range_text(found[12]), "TORSO_STAND2 152*1@15");
    EXPECT_EQ(range_text(found[13]), "LEGS_WALKCR 90*8@20"); // 63 frames belong to the torso only
    EXPECT_EQ(range_text(found[14]), "LEGS_WALK 98*12@20");
    EXPECT_EQ(found[0].body_parts, md3::BodyParts::both);
    EXPECT_EQ(found[6].body_parts, md3::BodyParts::torso);
    EXPECT_EQ(found[14].body_parts, md3::BodyParts::legs);
    EXPECT_TRUE(parse_config(in_order).warnings.empty());
}

TEST(Md3AnimationConfig, CommentsNameAnimations)
{
    EXPECT_EQ(all("10 5 0 25 // TORSO_WAVE (new)\n15 4 4 10\t//LEGS_FLY\n0 2 0 0\n"),
              "TORSO_WAVE 10*5@25, LEGS_FLY 10*4@10, BOTH_DEATH2 0*2@1");
}

TEST(Md3AnimationConfig, NamesMayPrecedeTheNumbers)
{
    EXPECT_EQ(all("sex f\nBOTH_DEATH1 0 30 -1 20 // LEGS_FLY\nTORSO_TALK 30 9 0 15\nLEGS_RUN 50 14 14 20"),
              "BOTH_DEATH1 0*30@20, TORSO_TALK 30*9@15, LEGS_RUN 30*14@20");
    EXPECT_EQ(all("LEGS\xff 0 1 0 10"), "") << "no name";
    EXPECT_EQ(all("headoffset 0 0 0"), "") << "three numbers are no animation";
}

TEST(Md3AnimationConfig, NegativeCountRunsBackwards)
{
    EXPECT_EQ(all("5 -4 0 10"), "BOTH_DEATH1 5*4@10<");
    EXPECT_EQ(all("5 0 0 -10"), "BOTH_DEATH1 5*1@10");
}

TEST(Md3AnimationConfig, ZeroRateBecomesOneFps)
{
    for (const std::string rate : {"0", "-0", "1e-300", "-1e-300"})
        EXPECT_EQ(parse_config("0 5 0 " + rate).animations.at(0).rate, 1.0) << rate;
    EXPECT_EQ(parse_config("0 5 0 -0.5").animations.at(0).rate, 0.5);
}

// A clip loops as a whole or not at all.
TEST(Md3AnimationConfig, LoopOfSomeFramesIsAWarning)
{
    const auto found = parse_config("0 8 0 25\n8 8 8 25\n16 8 3 25 // LEGS_JUMP\n");
    ASSERT_EQ(found.warnings.size(), 1u);
    EXPECT_EQ(found.warnings[0].code, "md3_loop");
    EXPECT_EQ(found.warnings[0].where, "line 3");
    EXPECT_THAT(found.warnings[0].message, testing::HasSubstr("the last 3 of 8 frames"));
}

TEST(Md3AnimationConfig, BrokenLinesAreWarnings)
{
    const auto found = parse_config("0 30 0 25\n30 nothing\n1e99 1 0 5\n");
    EXPECT_EQ(found.animations.size(), 2u);
    ASSERT_EQ(found.warnings.size(), 2u);
    EXPECT_EQ(found.warnings[0].where, "line 2");
    EXPECT_EQ(found.warnings[1].where, "line 3");
    EXPECT_EQ(all(""), "");
}

TEST(Md3AnimationConfig, CommentsAreSkipped)
{
    EXPECT_EQ(all("/*\n 1 2 3 4\n*/ 5 6 0 8 /* x\n 1 2 3 4 */ // y\n6 7 0 9"),
              "BOTH_DEATH1 5*6@8, BOTH_DEAD1 6*7@9");
    EXPECT_EQ(all("5/*a*/6 0 8//LEGS_RUN"), "LEGS_RUN 5*6@8");
    EXPECT_EQ(all("5 6 0 8 /* LEGS_RUN */"), "LEGS_RUN 5*6@8");
    EXPECT_EQ(all("5 6 0 8 /* x */ // LEGS_RUN"), "LEGS_RUN 5*6@8");
    EXPECT_EQ(all("5 6 0 8 // /*\n6 7 0 9 /* 1 2 3 4"), "BOTH_DEATH1 5*6@8, BOTH_DEAD1 6*7@9")
        << "to the end";
    EXPECT_EQ(all("5 6 0 8 /*\n LEGS_RUN\n*/"), "BOTH_DEATH1 5*6@8") << "not on its line";
}

// The game reads words, independent of line ends.
TEST(Md3AnimationConfig, OpenCommentIsAWarning)
{
    const auto config = parse_config("0 10 0 15\n/* 10 20 0 15\n30 5 0 15\n");
    EXPECT_EQ(config.animations.size(), 1u);
    ASSERT_EQ(config.warnings.size(), 1u);
    EXPECT_EQ(config.warnings[0].code, "md3_comment");
    EXPECT_EQ(config.warnings[0].where, "line 2");
}

TEST(Md3AnimationConfig, LinesMayEndAnywhere)
{
    const std::string expected = all(in_order);
    EXPECT_EQ(all(replaced(in_order, "\n", " ")), expected) << "all on one line";
    EXPECT_EQ(all(replaced(in_order, " 0 ", "\n0 ")), expected) << "some over two lines";
    EXPECT_EQ(all(replaced(in_order, " ", "\n")), expected) << "a number each";
    EXPECT_EQ(all(replaced(in_order, "\n", "\r")), expected);
    EXPECT_EQ(all(replaced(in_order, "\n", "\r\n")), expected);
    EXPECT_EQ(all("0 3 0 10 3 4 0 10 7 5\n0 10 9 6 0 10"),
              "BOTH_DEATH1 0*3@10, BOTH_DEAD1 3*4@10, BOTH_DEATH2 7*5@10, BOTH_DEAD2 9*6@10");
    EXPECT_EQ(all("0 3 // LEGS_RUN\n0 10\n3 4\n0 10 // LEGS_WALK"), "LEGS_RUN 0*3@10, LEGS_WALK 3*4@10");
    EXPECT_EQ(all("A 0 3 0 10 B_1 3 4 0 10"), "A 0*3@10, B_1 3*4@10") << "named ones";
}

TEST(Md3AnimationConfig, KeywordsTakeTheirArguments)
{
    for (const std::string keywords :
         {"sex m", "SEX 5", "footsteps \"boot\"", "headoffset 0 0 0", "headoffset 0\n0 -1.5 \n", "fixedlegs",
          "fixedtorso", "sex f fixedlegs headoffset 1 2 3 footsteps flesh", "sex\n", "headoffset\n1 2 3\n"})
        EXPECT_EQ(all(keywords + " 0 3 0 10\n3 4 0 10"), "BOTH_DEATH1 0*3@10, BOTH_DEAD1 3*4@10") << keywords;
    EXPECT_EQ(all("headoffset 0 0"), "");
    EXPECT_EQ(all("nonsegmented\n0 3 0 10\nversion 2\n; 1 2 3 4\n"), "BOTH_DEATH1 0*3@10") << "unknown ones";
}

TEST(Md3AnimationConfig, FirstNameInACommentIsTheClipName)
{
    EXPECT_EQ(names("1 2 0 4 // LEGS_IDLE (was BOTH_IDLE)\n1 2 0 4 // TORSO_A LEGS_B"), "LEGS_IDLE TORSO_A");
}

TEST(Md3AnimationConfig, BrokenRowsKeepTheirPlace)
{
    for (const std::string broken :
         {"29 1 0 nan", "29 2000000000 0 15", "-5 3 0 15", "29 1 0 inf", "29 1 nan 9"}) {
        const auto found = parse_config("0 30 0 20\n" + broken + "\n30 30 0 20");
        ASSERT_EQ(found.animations.size(), 2u) << broken;
        EXPECT_EQ(found.animations[1].name, "BOTH_DEATH2") << broken;
        ASSERT_EQ(found.warnings.size(), 1u) << broken;
        EXPECT_EQ(found.warnings[0].code, "md3_animation");
        EXPECT_EQ(found.warnings[0].where, "line 2");
        EXPECT_THAT(found.warnings[0].message, testing::HasSubstr(broken));
    }
    EXPECT_EQ(all("0 30 0 20\n29 1 0\n30 30 0 20\n59 x 0 5 9 9 9 9"),
              "BOTH_DEATH1 0*30@20, BOTH_DEAD1 29*1@15, BOTH_DEATH2 30*30@20, BOTH_DEAD2 59*1@5")
        << "a number is missing, or none";
}

// TORSO_GESTURE defines the start of the torso's own frames, even when it is otherwise invalid.
TEST(Md3AnimationConfig, LegsAreCountedFromABrokenRowToo)
{
    const auto found = parse_config(replaced(in_order, "90 40 0 15", "90 40 0 nan")).animations;
    ASSERT_EQ(found.size(), 14u);
    EXPECT_EQ(range_text(found[12]), "LEGS_WALKCR 90*8@20");
    const auto without = parse_config(replaced(in_order, "90 40 0 15", "-1 40 0 15")).animations;
    EXPECT_EQ(range_text(without.at(12)), "LEGS_WALKCR 130*8@20") << "from the next one of the torso";
}

TEST(Md3AnimationConfig, StopsAtTheFirstNonNumber)
{
    EXPECT_EQ(all(replaced(in_order, " ", ", ")), all(in_order));
    EXPECT_EQ(all("0,3,0,10\n3; 4fps 0. +10)"), "BOTH_DEATH1 0*3@10, BOTH_DEAD1 3*4@10");
    EXPECT_EQ(all("2h_stand 0 5 5 10"), "2h_stand 0*5@10") << "a name";
}

// Return to Castle Wolfenstein has a speed and a blend time there.
TEST(Md3AnimationConfig, TextAfterFourNumbersOfALineIsIgnored)
{
    const std::string expected = "BOTH_DEATH1 0*3@10, LEGS_RUN 3*4@10, BOTH_DEATH2 7*1@10";
    EXPECT_EQ(all("0 3 0 10 9\n3 4 0 10 50 100 // LEGS_RUN\n7 1 0 10 9 9 9"), expected);
    EXPECT_EQ(all("0 3 0 10 death\n3 4 0 10 LEGS 1 2 3 4 // LEGS_RUN\n7 1 0 10 ; x\n"), expected);
    EXPECT_EQ(all("idle 0 3 0 10 50 100 9 9\nrun 3 4 0 10 fast\n"), "idle 0*3@10, run 3*4@10");
}
