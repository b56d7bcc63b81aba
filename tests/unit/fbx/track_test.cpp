#include <gtest/gtest.h>

#include "loaders/fbx/curves/track_baker.hpp"
#include "tests/unit/fbx/tracks.hpp"

namespace vitrine::fbx::test {
namespace {

TEST(FbxTrack, StraightLinesKeepTheirKeys)
{
    const CurvesTrack track(
        {{.keys = {key(0, 0), key(1, 10), key(3, -4)}}, {.keys = {key(0, 5)}}, {.keys = {key(0, 0)}}});
    const auto channel = baked(track);
    EXPECT_EQ(channel.interpolation, scene::Interpolation::linear);
    EXPECT_EQ(channel.times, (std::vector<float>{0, 1, 3}));
    EXPECT_EQ(channel.values[4], 5.0f);
    EXPECT_LT(error(channel, track, -1, 4), 1e-5);
}

TEST(FbxTrack, ConstantsAreOneKey)
{
    const CurvesTrack track({{.keys = {key(0, 3), key(1, 3)}}, {.keys = {key(0, 5)}}, {.keys = {key(7, 0)}}});
    const auto channel = baked(track);
    EXPECT_EQ(channel.times.size(), 1u);
    EXPECT_EQ(channel.values, (std::vector<float>{3, 5, 0}));
}

TEST(FbxTrack, StepsStaySteps)
{
    using enum KeyInterpolation;
    const CurvesTrack track({{.keys = {key(0, 1, constant), key(1, 2, constant), key(2, 3, constant)}},
                             {.keys = {key(0, 0), key(2, 0)}},
                             {.keys = {key(0, 0)}}});
    const auto channel = baked(track);
    EXPECT_EQ(channel.interpolation, scene::Interpolation::step);
    EXPECT_EQ(channel.times, (std::vector<float>{0, 1, 2}));
}

TEST(FbxTrack, StepAmongLinesIsTwoKeys)
{
    using enum KeyInterpolation;
    const CurvesTrack track(
        {{.keys = {key(0, 0, constant), key(1, 2, linear), key(2, 3, constant_next), key(3, 9)}},
         {.keys = {key(0, 0)}},
         {.keys = {key(0, 0)}}});
    const auto channel = baked(track);
    EXPECT_EQ(channel.interpolation, scene::Interpolation::linear);
    EXPECT_EQ(channel.times.size(), 6u);
    EXPECT_LT(error(channel, track, -1, 4), 1e-5);
}

TEST(FbxTrack, PolynomialsAreKeptWhole)
{
    Curve x{.keys = {key(0, 0, KeyInterpolation::cubic), key(2, 5, KeyInterpolation::cubic), key(3, 1)}};
    x.keys[0].right_slope = 7.0 / ticks;
    x.keys[0].next_left_slope = -2.0 / ticks;
    x.keys[1].right_slope = 30.0 / ticks;
    Curve y = x;
    y.keys[1].time = 0.75 * ticks;
    const CurvesTrack track({x, y, {.keys = {key(0, 0)}}});
    const auto channel = baked(track, scene::Path::translation, 0.5);
    EXPECT_EQ(channel.interpolation, scene::Interpolation::cubic);
    EXPECT_EQ(channel.times, (std::vector<float>{-0.5f, 0.25f, 1.5f, 2.5f}));
    EXPECT_LT(error(channel, track, -1, 4, 0.5), 2e-5);
}

TEST(FbxTrack, WeightedTangentsAreCutFinely)
{
    Curve x{.keys = {key(0, 0, KeyInterpolation::cubic), key(1, 1)}};
    x.keys[0].right_weight = 0.9f;
    x.keys[0].next_left_weight = 0.6f;
    const CurvesTrack track({x, {.keys = {key(0, 0)}}, {.keys = {key(0, 0)}}});
    const auto channel = baked(track);
    EXPECT_GT(channel.times.size(), 4u);
    EXPECT_LT(error(channel, track, 0, 1), 1e-6);
}

TEST(FbxTrack, KeysOfAKilohertzAreHalvedAtMostOnce)
{
    Curve x;
    for (int k = 0; k <= 100; ++k) {
        x.keys.push_back(key(k * 1e-3, k % 2, KeyInterpolation::cubic));
        x.keys.back().right_weight = 0.9f;
        x.keys.back().next_left_weight = 0.6f;
    }
    const CurvesTrack track({x, {.keys = {key(0, 0)}}, {.keys = {key(0, 0)}}});
    const auto channel = baked(track);
    EXPECT_GT(channel.times.size(), 101u);
    EXPECT_LE(channel.times.size(), 201u);
    EXPECT_LT(error(channel, track, 0, 0.1), 0.25); // for motion between two thousandths of a second
    for (int k = 0; k <= 100; ++k)
        EXPECT_NEAR(error(channel, track, k * 1e-3, k * 1e-3), 0.0, 1e-4);
}

TEST(FbxTrack, EvenTurnIsLinearAndNeverShortened)
{
    const CurvesTrack track({{.keys = {key(0, 0), key(1, 810), key(2, -90)}}}, true);
    const auto channel = baked(track, scene::Path::rotation);
    EXPECT_EQ(channel.interpolation, scene::Interpolation::linear);
    EXPECT_LT(channel.times.size(), 20u);
    EXPECT_LT(error(channel, track, -0.5, 2.5), 1e-5);
}

TEST(FbxTrack, UnevenTurnIsCutFinely)
{
    Curve angle{.keys = {key(0, 0, KeyInterpolation::cubic), key(1, 720)}};
    const CurvesTrack track({angle}, true);
    const auto channel = baked(track, scene::Path::rotation);
    EXPECT_EQ(channel.interpolation, scene::Interpolation::cubic);
    EXPECT_LT(error(channel, track, 0, 1), 2e-6);
}

TEST(FbxTrack, KeyTimesHaveKeyValues)
{
    using enum KeyInterpolation;
    const double frame = 1.0 / 24.0;
    Curve steps, nexts;
    for (int i = 0; i < 240; ++i) {
        steps.keys.push_back(key(i * frame, i % 5, constant));
        nexts.keys.push_back(key(i * frame, i % 7, constant_next));
    }
    const Curve line{.keys = {key(0, 0), key(10, 100)}};
    const Curve wave{.keys = {key(0, 0, cubic), key(5, 100, cubic), key(10, 0)}};
    for (const Curve& beside : {line, wave, steps}) {
        const auto channel = baked(CurvesTrack({steps, nexts, beside}));
        for (int i = 0; i < 239; ++i) {
            for (const double off : {-5e-10, 0.0, 5e-10}) { // the error of times written with nine digits
                std::vector<float> shown(3);
                scene::sample_channel(channel, i * frame + off, shown);
                EXPECT_NEAR(shown[0], i % 5, 1e-3) << i;
                EXPECT_NEAR(shown[1], i % 7, 1e-3) << i;
            }
            std::vector<float> between(3);
            scene::sample_channel(channel, (i + 0.5) * frame, between);
            EXPECT_NEAR(between[1], (i + 1) % 7, 1e-3) << i;
        }
    }
}

TEST(FbxTrack, RotationExtrapolatesLikeItsCurve)
{
    for (const auto mode : {CurveExtrapolation::repetition, CurveExtrapolation::mirror,
                            CurveExtrapolation::relative_repetition, CurveExtrapolation::keep_slope}) {
        const CurvesTrack track(
            {{.keys = {key(0, 0), key(1, 70), key(2, 200)}, .before = {mode}, .after = {mode}}}, true);
        EXPECT_LT(error(baked(track, scene::Path::rotation), track, -7.93, 13.71), 1e-4)
            << static_cast<int>(mode);
    }
}

TEST(FbxTrack, SpentBudgetEndsSampling)
{
    const CurvesTrack track({{.keys = {key(0, 0), key(1, 1e29)}}}, true);
    BakeBudget budget{.samples_left = 100};
    const auto channel = bake(track, scene::Path::rotation, {0.0, ticks}, budget);
    EXPECT_LT(channel.times.size(), 100u);
    EXPECT_TRUE(budget.is_coarse);
}

// Keys that rotate millions of times need breakpoints between them, repetitions need breakpoints outside:
// both are limited by the sampling budget.
TEST(FbxTrack, KnotsCountAgainstTheSampleBudget)
{
    for (const bool rotation : {true, false}) {
        Curve turns, other;
        for (int i = 0; i < 241; ++i)
            turns.keys.push_back(key(i / 60.0, i % 2 == 0 ? 0.0 : 1e9));
        other = turns;
        turns.after = {CurveExtrapolation::repetition};
        other.keys.pop_back();
        other.after = {CurveExtrapolation::repetition};
        const CurvesTrack track(rotation ? std::vector{turns} : std::vector{turns, other, other}, rotation);
        const auto path = rotation ? scene::Path::rotation : scene::Path::translation;
        BakeBudget budget{.samples_left = 20'000};
        const auto channel = bake(track, path, {0.0, ticks}, budget);
        EXPECT_GE(channel.times.size(), 241u);
        EXPECT_LT(channel.times.size(), 2 * (20'000u / 8 + 241)); // a jump has two keys
        EXPECT_LT(budget.overdrawn, 5'000u);                      // for the keys themselves
        EXPECT_TRUE(budget.is_coarse);
    }
}

// Whatever the budget: 4,096 parts of a segment that rotates, 20,000 breakpoints beyond the keys.
TEST(FbxTrack, BreakpointsOfFastMotionAreLimited)
{
    BakeBudget budget{.samples_left = 10'000'000};
    const CurvesTrack turns({{.keys = {key(0, 0), key(1, 1e29)}}}, true);
    EXPECT_EQ(find_range(turns, true, {0.0, ticks}, budget).breakpoints.size(), 4'097u);
    const auto repeated = [](double ticks_long) {
        return Curve{.keys = {key(0, 0), key(ticks_long / ticks, 1)},
                     .after = {CurveExtrapolation::repetition}};
    };
    const CurvesTrack beats({repeated(2), repeated(3)}); // a breakpoint at 4 of 6 ticks
    const auto range = find_range(beats, false, {0.0, ticks}, budget);
    EXPECT_GE(range.breakpoints.size(), 7'990u);
    EXPECT_LE(range.breakpoints.size(), 20'010u);
}

// Every breakpoint of one curve samples all the others: without a limit a file of a few megabytes would take
// hours.
TEST(FbxTrack, BakingStopsAtTheOverdraft)
{
    std::vector<Curve> curves(400);
    for (std::size_t c = 0; c < curves.size(); ++c) {
        for (int i = 0; i < 400; ++i)
            curves[c].keys.push_back(key(i + static_cast<double>(c) / 400.0, i));
    }
    const CurvesTrack track(std::move(curves));
    BakeBudget budget;
    EXPECT_TRUE(bake(track, scene::Path::weights, {0.0, ticks}, budget).times.empty());
    EXPECT_TRUE(budget.is_over_limit());
}

} // namespace
} // namespace vitrine::fbx::test
