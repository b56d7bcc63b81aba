#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "loaders/fbx/track.hpp"
#include "loaders/fbx/transform.hpp"
#include "loaders/scene/sampling.hpp"

namespace vitrine::fbx {
namespace {

constexpr double ticks = 46'186'158'000.0;

CurveKey key(double seconds, double value, KeyInterpolation how = KeyInterpolation::linear)
{
    return {.time = seconds * ticks, .value = value, .interpolation = how};
}

// Components are curves (translations), or one curve is the angle about x in degrees (rotations).
class CurvesTrack final : public Track {
public:
    CurvesTrack(std::vector<Curve> components, bool rotation = false)
        : components_(std::move(components)), rotation_(rotation)
    {
        for (const Curve& curve : components_)
            curves.push_back(&curve);
        is_plain = true;
    }
    std::size_t components() const override { return rotation_ ? 4 : components_.size(); }
    void sample(double time, Side side, std::span<double> value, std::span<double> rate) const override
    {
        if (rotation_) {
            const CurveSample found = fbx::sample(components_[0], time, side);
            const double half = glm::radians(found.value) * 0.5, half_rate = glm::radians(found.rate) * 0.5;
            value[0] = std::sin(half);
            value[3] = std::cos(half);
            rate[0] = std::cos(half) * half_rate;
            rate[3] = -std::sin(half) * half_rate;
            return;
        }
        for (std::size_t i = 0; i < components_.size(); ++i) {
            const CurveSample found = fbx::sample(components_[i], time, side);
            value[i] = found.value;
            rate[i] = found.rate;
        }
    }

private:
    std::vector<Curve> components_;
    bool rotation_;
};

scene::Channel baked(const Track& track, scene::Path path = scene::Path::translation, double start = 0.0)
{
    BakeBudget budget{.samples_left = 1'000'000};
    return bake(track, path, {.start = start * ticks, .ticks_per_second = ticks}, budget);
}

// The largest difference between the channel and the motion itself, over a range of the file's time.
double error(const scene::Channel& channel, const Track& track, double from, double to, double start = 0.0)
{
    double largest = 0.0;
    for (int i = 0; i <= 997; ++i) {
        const double time = from + (to - from) * i / 997;
        std::vector<double> value(track.components()), rate(track.components());
        track.sample(time * ticks, Side::after, value, rate);
        std::vector<float> shown(track.components());
        scene::sample_channel(channel, time - start, shown);
        double plus = 0.0, minus = 0.0;
        for (std::size_t c = 0; c < value.size(); ++c) {
            plus = std::max(plus, std::abs(value[c] - double{shown[c]}));
            minus = std::max(minus, std::abs(value[c] + double{shown[c]}));
        }
        largest = std::max(largest, channel.path == scene::Path::rotation ? std::min(plus, minus) : plus);
    }
    return largest;
}

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

TEST(FbxTrack, AStepAmongLinesIsTwoKeys)
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
    EXPECT_LT(error(channel, track, 0, 0.1), 0.25); // of motions between two thousandths of a second
    for (int k = 0; k <= 100; ++k)
        EXPECT_NEAR(error(channel, track, k * 1e-3, k * 1e-3), 0.0, 1e-4);
}

TEST(FbxTrack, AnEvenTurnIsLinearAndNeverShortened)
{
    const CurvesTrack track({{.keys = {key(0, 0), key(1, 810), key(2, -90)}}}, true);
    const auto channel = baked(track, scene::Path::rotation);
    EXPECT_EQ(channel.interpolation, scene::Interpolation::linear);
    EXPECT_LT(channel.times.size(), 20u);
    EXPECT_LT(error(channel, track, -0.5, 2.5), 1e-5);
}

TEST(FbxTrack, AnUnevenTurnIsCutFinely)
{
    Curve angle{.keys = {key(0, 0, KeyInterpolation::cubic), key(1, 720)}};
    const CurvesTrack track({angle}, true);
    const auto channel = baked(track, scene::Path::rotation);
    EXPECT_EQ(channel.interpolation, scene::Interpolation::cubic);
    EXPECT_LT(error(channel, track, 0, 1), 2e-6);
}

TEST(FbxTrack, OnePeriodIsRepeatedByTheChannel)
{
    for (const auto mode : {CurveExtrapolation::repetition, CurveExtrapolation::mirror,
                            CurveExtrapolation::relative_repetition, CurveExtrapolation::keep_slope}) {
        const CurvesTrack track(
            {{.keys = {key(1, 0), key(2, 10), key(3, 4)}, .before = {mode}, .after = {mode, 4}},
             {.keys = {key(0, 0)}},
             {.keys = {key(0, 2), key(9, 2)}}});
        const auto channel = baked(track);
        EXPECT_LT(channel.times.size(), 6u);
        EXPECT_LT(error(channel, track, -7.93, 13.71), 1e-4) << static_cast<int>(mode);
    }
}

TEST(FbxTrack, OddMirrorsEndWhereTheyLeft)
{
    const Curve curve{
        .keys = {key(1, 0), key(2, 10), key(3, 4)}, .before = {}, .after = {CurveExtrapolation::mirror, 3}};
    const CurvesTrack track({curve, {.keys = {key(0, 0)}}, {.keys = {key(0, 2)}}});
    EXPECT_LT(error(baked(track), track, -1, 8.99), 1e-3);
    std::vector<float> at_last(3);
    scene::sample_channel(baked(track), 20.0, at_last);
    EXPECT_NEAR(at_last[0], 4.0f, 1e-6f);
}

// The keys of an end that is sampled would be repeated with the others at the other end.
TEST(FbxTrack, AnEndBesideASampledOneIsSampledToo)
{
    constexpr CurveEnd odd{CurveExtrapolation::mirror, 3};
    for (const auto mode : {CurveExtrapolation::repetition, CurveExtrapolation::mirror,
                            CurveExtrapolation::relative_repetition, CurveExtrapolation::keep_slope}) {
        for (const auto& [before, after] : {std::pair(odd, CurveEnd{mode}), std::pair(CurveEnd{mode}, odd)}) {
            const CurvesTrack track(
                {{.keys = {key(1, 0), key(2, 10), key(3, 4)}, .before = before, .after = after},
                 {.keys = {key(0, 0)}},
                 {.keys = {key(0, 2)}}});
            EXPECT_LT(error(baked(track), track, -7.93, 13.71), 1e-3) << static_cast<int>(mode);
        }
    }
}

// Frames are exported at keys' times, which no float holds: they must show the value of the key all the same.
TEST(FbxTrack, KeysOwnTimesShowTheirValues)
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
            for (const double off : {-5e-10, 0.0, 5e-10}) { // as times written with nine digits are off
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

TEST(FbxTrack, ATurnGoesOnAsItsCurveDoes)
{
    for (const auto mode : {CurveExtrapolation::repetition, CurveExtrapolation::mirror,
                            CurveExtrapolation::relative_repetition, CurveExtrapolation::keep_slope}) {
        const CurvesTrack track(
            {{.keys = {key(0, 0), key(1, 70), key(2, 200)}, .before = {mode}, .after = {mode}}}, true);
        EXPECT_LT(error(baked(track, scene::Path::rotation), track, -7.93, 13.71), 1e-4)
            << static_cast<int>(mode);
    }
}

TEST(FbxTrack, ACycleWithoutOffsetIsACycle)
{
    const auto cycle = [](double middle) {
        return Curve{.keys = {key(0, 5), key(1, middle), key(2, 5)},
                     .before = {},
                     .after = {CurveExtrapolation::relative_repetition}};
    };
    CurvesTrack track({cycle(9), cycle(1), cycle(3)});
    track.is_plain = false; // as the angles of a rotation about several axes
    const auto channel = baked(track);
    EXPECT_EQ(channel.times.size(), 3u);
    EXPECT_LT(error(channel, track, -1, 9), 1e-4);
}

// Of x, y and z one jumps, one goes to and fro, one drifts; none has the others' period.
CurvesTrack with_different_periods()
{
    const CurveEnd repeats{CurveExtrapolation::repetition}, mirrors{CurveExtrapolation::mirror},
        drifts{CurveExtrapolation::relative_repetition};
    return CurvesTrack({{.keys = {key(0, 0), key(1, 10)}, .before = repeats, .after = repeats},
                        {.keys = {key(0, 0), key(0.7, 2), key(1.5, 4)}, .before = mirrors, .after = mirrors},
                        {.keys = {key(0, 0), key(0.3, 4)}, .before = drifts, .after = drifts}});
}

TEST(FbxTrack, AMomentIsKeptHoweverFarOut)
{
    const CurvesTrack track = with_different_periods();
    for (const double moment : {75.25, 1e4 + 0.123, -300.4, -2e4 + 0.27, 61.5}) {
        for (const double start : {0.0, 0.4}) {
            BakeBudget budget{.samples_left = 1'000'000};
            const BakeTime time{start * ticks, ticks, moment * ticks};
            const auto channel = bake(track, scene::Path::translation, time, budget);
            std::vector<double> value(3), rate(3);
            track.sample(moment * ticks, Side::after, value, rate);
            std::vector<float> shown(3);
            scene::sample_channel(channel, moment - start, shown);
            for (std::size_t i = 0; i < 3; ++i)
                EXPECT_NEAR(shown[i], value[i], 1e-5 * std::max(1.0, std::abs(value[i])))
                    << moment << " from " << start << ": " << i;
            EXPECT_GT(budget.samples_left, 900'000u);
        }
    }
}

TEST(FbxTrack, ARotationKeepsAMomentToo)
{
    const CurvesTrack track(
        {{.keys = {key(0, 0), key(1, 500)}, .after = {CurveExtrapolation::repetition, 100'000}},
         {.keys = {key(0, 0), key(0.7, 2)}, .after = {CurveExtrapolation::mirror}}},
        true);
    const double moment = 5000.3;
    BakeBudget budget{.samples_left = 1'000'000};
    const auto channel = bake(track, scene::Path::rotation, {0.0, ticks, moment * ticks}, budget);
    EXPECT_LT(error(channel, track, moment, moment), 1e-5);
}

TEST(FbxTrack, DifferentPeriodsAreSampledForAWhile)
{
    const CurvesTrack track(
        {{.keys = {key(0, 0), key(1, 10)}, .before = {}, .after = {CurveExtrapolation::repetition}},
         {.keys = {key(0, 0), key(1.5, 4)}, .before = {}, .after = {CurveExtrapolation::mirror}},
         {.keys = {key(0, 0), key(0.5, 4)},
          .before = {},
          .after = {CurveExtrapolation::relative_repetition, 2}}});
    BakeBudget budget{.samples_left = 1'000'000};
    const auto channel = bake(track, scene::Path::translation, {0.0, ticks}, budget);
    EXPECT_LT(error(channel, track, -3, 59.03), 2e-4);
    EXPECT_GE(budget.sampled_seconds, 60.0);
}

TEST(FbxTrack, StraightAndHeldComponentsGoOnTogether)
{
    const CurvesTrack track(
        {{.keys = {key(0, 0), key(1, 10)}, .before = {}, .after = {CurveExtrapolation::keep_slope}},
         {.keys = {key(0, 0), key(2, 4)}},
         {.keys = {key(0, 1)}}});
    const auto channel = baked(track);
    EXPECT_LT(error(channel, track, -3, 30), 1e-4);
    std::vector<float> held(3);
    scene::sample_channel(channel, 30.0, held, scene::Outside::held);
    EXPECT_NEAR(held[0], 20.0f, 1e-4f); // where the channel's last key is
}

// One of them steps to its last value, with which it goes on.
TEST(FbxTrack, AStepAtTheEndIsTakenBeforeOthersGoOn)
{
    const CurveEnd goes_on{CurveExtrapolation::keep_slope};
    CurveKey step = key(0, 1);
    step.interpolation = KeyInterpolation::constant;
    const CurvesTrack track({{.keys = {step, key(2, 5)}},
                             {.keys = {key(0, 0), key(2, 1)}, .before = goes_on, .after = goes_on},
                             {.keys = {key(0, 3)}}});
    EXPECT_LT(error(baked(track), track, -5, 1.99), 1e-4);
    EXPECT_LT(error(baked(track), track, 2.01, 9), 1e-4);
}

// A step has no slope to go on with, whatever the others do.
TEST(FbxTrack, ASlopeOfAStepIsNone)
{
    const CurveEnd goes_on{CurveExtrapolation::keep_slope};
    const auto line = KeyInterpolation::linear;
    for (const auto how : {KeyInterpolation::constant, KeyInterpolation::constant_next}) {
        const Curve steps{.keys = {key(0, 1, how), key(2, 5)}, .before = goes_on, .after = goes_on};
        for (const auto others : {line, how}) {
            const Curve other{.keys = {key(0, 0, others), key(2, 1)}, .before = goes_on, .after = goes_on};
            const CurvesTrack track({steps, other, other});
            EXPECT_LT(error(baked(track), track, -5, -0.01), 1e-4);
            EXPECT_LT(error(baked(track), track, 0.01, 1.99), 1e-4);
            EXPECT_LT(error(baked(track), track, 2.01, 9), 1e-4);
        }
        const CurvesTrack turn({steps}, true);
        const auto channel = baked(turn, scene::Path::rotation);
        EXPECT_LT(error(channel, turn, -5, -0.01), 1e-5);
        EXPECT_LT(error(channel, turn, 2.01, 9), 1e-5);
    }
}

TEST(FbxTrack, ASpentBudgetStillEnds)
{
    const CurvesTrack track({{.keys = {key(0, 0), key(1, 1e29)}}}, true);
    BakeBudget budget{.samples_left = 100};
    const auto channel = bake(track, scene::Path::rotation, {0.0, ticks}, budget);
    EXPECT_LT(channel.times.size(), 100u);
    EXPECT_TRUE(budget.is_coarse);
}

// Keys that turn millions of times ask for knots between them, repetitions for knots outside: no more of both
// than the budget can sample.
TEST(FbxTrack, KnotsCostWhatIsSampledForThem)
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

// Every knot of one curve samples all the others: what a file of a few megabytes can ask for would take
// hours.
TEST(FbxTrack, NothingIsBakedBeyondTheOverdraft)
{
    std::vector<Curve> curves(400);
    for (std::size_t c = 0; c < curves.size(); ++c) {
        for (int i = 0; i < 400; ++i)
            curves[c].keys.push_back(key(i + static_cast<double>(c) / 400.0, i));
    }
    const CurvesTrack track(std::move(curves));
    BakeBudget budget;
    EXPECT_TRUE(bake(track, scene::Path::weights, {0.0, ticks}, budget).times.empty());
    EXPECT_TRUE(budget.is_overdrawn());
}

} // namespace
} // namespace vitrine::fbx
