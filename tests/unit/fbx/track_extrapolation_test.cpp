// Extrapolation before the first and after the last key.
#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "tests/unit/fbx/tracks.hpp"

namespace vitrine::fbx::test {
namespace {

TEST(FbxTrackEnds, OnePeriodIsRepeatedByTheChannel)
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

TEST(FbxTrackEnds, MirrorsEndWhereTheirLastPassLeads)
{
    for (const int count : {1, 2, 3}) {
        const Curve curve{.keys = {key(1, 0), key(2, 10), key(3, 4)},
                          .before = {},
                          .after = {CurveExtrapolation::mirror, count}};
        const CurvesTrack track({curve, {.keys = {key(0, 0)}}, {.keys = {key(0, 2)}}});
        const auto channel = baked(track);
        EXPECT_EQ(channel.times.size(), 3u) << "the channel repeats by itself";
        EXPECT_LT(error(channel, track, -1, 20), 1e-3);
        std::vector<float> at_last(3);
        scene::sample_channel(channel, 20.0, at_last);
        EXPECT_NEAR(at_last[0], count % 2 == 1 ? 0.0f : 4.0f, 1e-6f) << count;
    }
}

// A repeating end would also repeat the keys of a sampled end.
TEST(FbxTrackEnds, EndBesideASampledOneIsSampledToo)
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

// Frames are exported at key times, which floats do not represent exactly; they must still show the key's
// value.
TEST(FbxTrackEnds, CycleWithoutOffsetIsACycle)
{
    const auto cycle = [](double middle) {
        return Curve{.keys = {key(0, 5), key(1, middle), key(2, 5)},
                     .before = {},
                     .after = {CurveExtrapolation::relative_repetition}};
    };
    CurvesTrack track({cycle(9), cycle(1), cycle(3)});
    track.is_plain = false; // as for rotation angles about several axes
    const auto channel = baked(track);
    EXPECT_EQ(channel.times.size(), 3u);
    EXPECT_LT(error(channel, track, -1, 9), 1e-4);
}

// Of x, y and z one jumps, one oscillates, one drifts, with different periods.
CurvesTrack with_different_periods()
{
    const CurveEnd repeats{CurveExtrapolation::repetition}, mirrors{CurveExtrapolation::mirror},
        drifts{CurveExtrapolation::relative_repetition};
    return CurvesTrack({{.keys = {key(0, 0), key(1, 10)}, .before = repeats, .after = repeats},
                        {.keys = {key(0, 0), key(0.7, 2), key(1.5, 4)}, .before = mirrors, .after = mirrors},
                        {.keys = {key(0, 0), key(0.3, 4)}, .before = drifts, .after = drifts}});
}

TEST(FbxTrackEnds, PoseTimeIsExactAtAnyDistance)
{
    const CurvesTrack track = with_different_periods();
    for (const double pose_time : {75.25, 1e4 + 0.123, -300.4, -2e4 + 0.27, 61.5}) {
        for (const double start : {0.0, 0.4}) {
            BakeBudget budget{.samples_left = 1'000'000};
            const BakeTime time{start * ticks, ticks, pose_time * ticks};
            const auto channel = bake(track, scene::Path::translation, time, budget);
            std::vector<double> value(3), rate(3);
            track.sample(pose_time * ticks, TimeSide::after, value, rate);
            std::vector<float> shown(3);
            scene::sample_channel(channel, pose_time - start, shown);
            for (std::size_t i = 0; i < 3; ++i)
                EXPECT_NEAR(shown[i], value[i], 1e-5 * std::max(1.0, std::abs(value[i])))
                    << pose_time << " from " << start << ": " << i;
            EXPECT_GT(budget.samples_left, 900'000u);
        }
    }
}

TEST(FbxTrackEnds, RotationIsExactAtThePoseTime)
{
    const CurvesTrack track(
        {{.keys = {key(0, 0), key(1, 500)}, .after = {CurveExtrapolation::repetition, 100'000}},
         {.keys = {key(0, 0), key(0.7, 2)}, .after = {CurveExtrapolation::mirror}}},
        true);
    const double pose_time = 5000.3;
    BakeBudget budget{.samples_left = 1'000'000};
    const auto channel = bake(track, scene::Path::rotation, {0.0, ticks, pose_time * ticks}, budget);
    EXPECT_LT(error(channel, track, pose_time, pose_time), 1e-5);
}

// About x and then about z, angle by angle.
class SpinAndSway final : public Track {
public:
    SpinAndSway(Curve spin, Curve sway) : spin_(std::move(spin)), sway_(std::move(sway))
    {
        curves = {&spin_, &sway_};
    }
    std::size_t components() const override { return 4; }
    void sample(double time, TimeSide side, std::span<double> value, std::span<double> rate) const override
    {
        const auto half = [&](const Curve& curve) {
            return glm::radians(fbx::sample(curve, time, side).value) / 2;
        };
        const auto rate_of = [&](const Curve& curve) {
            return glm::radians(fbx::sample(curve, time, side).rate) / 2;
        };
        const double a = half(spin_), b = half(sway_), da = rate_of(spin_), db = rate_of(sway_);
        const glm::dquat x(std::cos(a), std::sin(a), 0, 0), z(std::cos(b), 0, 0, std::sin(b));
        const glm::dquat dx(-std::sin(a) * da, std::cos(a) * da, 0, 0),
            dz(-std::sin(b) * db, 0, 0, std::cos(b) * db);
        const glm::dquat q = z * x, dq = dz * x + z * dx;
        std::ranges::copy(std::array{q.x, q.y, q.z, q.w}, value.begin());
        std::ranges::copy(std::array{dq.x, dq.y, dq.z, dq.w}, rate.begin());
    }

private:
    Curve spin_, sway_;
};

// Breakpoints more than half a turn apart would show a slower or reversed rotation.
TEST(FbxTrackEnds, FastSlopeBesideAnotherAxisIsFollowed)
{
    for (const double degrees : {90.0, 360.0, -720.0}) { // per tenth of a second
        const Curve spin{.keys = {key(0, 0), key(0.1, degrees)},
                         .before = {CurveExtrapolation::keep_slope},
                         .after = {CurveExtrapolation::keep_slope}};
        const SpinAndSway track(spin, {.keys = {key(0, 0), key(0.5, 10), key(1, 0)}});
        const auto channel = baked(track, scene::Path::rotation);
        EXPECT_LT(error(channel, track, -59, 59), 1e-3) << degrees;
        EXPECT_LT(error(channel, track, 0.1, 1), 1e-4) << degrees << ": before the other's last key";
    }
}

// Limited by the number of breakpoints.
TEST(FbxTrackEnds, SteepSlopeIsClamped)
{
    const Curve spin{
        .keys = {key(0, 0), key(0.001, 3600)}, .before = {}, .after = {CurveExtrapolation::keep_slope}};
    const SpinAndSway track(spin, {.keys = {key(0, 0), key(0.002, 10)}});
    BakeBudget budget{.samples_left = 100'000'000};
    const auto channel = bake(track, scene::Path::rotation, {0.0, ticks}, budget);
    EXPECT_LT(error(channel, track, 0, 0.3), 5e-3); // times have single precision
    EXPECT_GT(budget.sampled_seconds, 0.3);
    EXPECT_LT(budget.sampled_seconds, 1.0);
}

TEST(FbxTrackEnds, DifferentPeriodsAreSampledForAWhile)
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

TEST(FbxTrackEnds, LinearAndHeldComponentsExtrapolateTogether)
{
    const CurvesTrack track(
        {{.keys = {key(0, 0), key(1, 10)}, .before = {}, .after = {CurveExtrapolation::keep_slope}},
         {.keys = {key(0, 0), key(2, 4)}},
         {.keys = {key(0, 1)}}});
    const auto channel = baked(track);
    EXPECT_LT(error(channel, track, -3, 30), 1e-4);
    std::vector<float> clamped(3);
    scene::sample_channel(channel, 30.0, clamped, ExtrapolationPolicy::clamped);
    EXPECT_NEAR(clamped[0], 20.0f, 1e-4f); // where the channel's last key is
}

// One of them steps to its last value and continues with it.
TEST(FbxTrackEnds, StepAtTheEndAppliesBeforeExtrapolation)
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

// A step has no slope to continue, whatever the other curves have.
TEST(FbxTrackEnds, StepHasNoSlope)
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

} // namespace
} // namespace vitrine::fbx::test
