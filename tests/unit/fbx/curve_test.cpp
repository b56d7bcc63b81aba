#include <cmath>

#include <gtest/gtest.h>

#include "loaders/fbx/curves/curve.hpp"

using namespace vitrine::fbx;

namespace {

constexpr double ticks_per_second = 46'186'158'000.0;

CurveKey key(double seconds, double value, KeyInterpolation interpolation = KeyInterpolation::linear)
{
    return {.time = seconds * ticks_per_second, .value = value, .interpolation = interpolation};
}

double at(const Curve& curve, double seconds, TimeSide side = TimeSide::after)
{
    return sample(curve, seconds * ticks_per_second, side).value;
}

// 0 at 1 s, 10 at 2 s, 4 at 3 s.
Curve zigzag(CurveExtrapolation mode, std::int32_t count = -1)
{
    return {.keys = {key(1, 0), key(2, 10), key(3, 4)}, .before = {mode, count}, .after = {mode, count}};
}

TEST(FbxCurve, HoldsStepsAndRuns)
{
    const Curve curve{.keys = {key(0, 1, KeyInterpolation::constant),
                               key(1, 2, KeyInterpolation::constant_next), key(2, 4), key(3, 8)}};
    EXPECT_EQ(at(curve, 0.999), 1);
    EXPECT_EQ(at(curve, 1, TimeSide::before), 1);
    EXPECT_EQ(at(curve, 1.001), 4);
    EXPECT_EQ(at(curve, 2.5), 6);
    EXPECT_EQ(at(curve, 9), 8);
    EXPECT_EQ(at(curve, -9), 1);
}

TEST(FbxCurve, TwoKeysOfOneTimeAreAJump)
{
    const Curve curve{.keys = {key(0, 0), key(1, 1), key(1, 5), key(2, 6)}};
    EXPECT_EQ(at(curve, 1, TimeSide::before), 1);
    EXPECT_EQ(at(curve, 1, TimeSide::after), 5);
    EXPECT_EQ(at(curve, 0.5), 0.5);
    EXPECT_EQ(at(curve, 1.5), 5.5);
}

TEST(FbxCurve, EvenTangentsMakeAHermiteSegment)
{
    Curve curve{.keys = {key(0, 1, KeyInterpolation::cubic), key(2, 3)}};
    curve.keys[0].right_slope = 4.0 / ticks_per_second;
    curve.keys[0].next_left_slope = -2.0 / ticks_per_second;
    // Hermite at the middle: (p0 + p1) / 2 + h (m0 - m1) / 8.
    EXPECT_NEAR(at(curve, 1), 2.0 + 2.0 * 6.0 / 8.0, 1e-12);
    EXPECT_NEAR(sample(curve, 0, TimeSide::after).rate * ticks_per_second, 4.0, 1e-9);
    EXPECT_NEAR(sample(curve, 2 * ticks_per_second, TimeSide::before).rate * ticks_per_second, -2.0, 1e-9);
}

TEST(FbxCurve, WeightedTangentsAreABezierInTime)
{
    Curve curve{.keys = {key(0, 0, KeyInterpolation::cubic), key(1, 1)}};
    curve.keys[0].right_weight = 0.9f;
    curve.keys[0].next_left_weight = 0.2f;
    for (const double u : {0.1, 0.3, 0.5, 0.77, 0.95}) {
        const double v = 1 - u;
        const double time = 3 * v * v * u * double{0.9f} + 3 * v * u * u * (1 - double{0.2f}) + u * u * u;
        const double value = 3 * v * u * u + u * u * u; // flat tangents
        EXPECT_NEAR(at(curve, time), value, 1e-9) << u;
        const double h = 1e-6;
        EXPECT_NEAR(sample(curve, time * ticks_per_second).rate * ticks_per_second,
                    (at(curve, time + h) - at(curve, time - h)) / (2 * h), 1e-5);
    }
}

TEST(FbxCurve, TangentsWithoutLengthAreSolvedToo)
{
    Curve curve{.keys = {key(0, 0, KeyInterpolation::cubic), key(1, 1)}};
    curve.keys[0].right_weight = 0.0f;
    curve.keys[0].next_left_weight = 0.0f;
    curve.keys[0].right_slope = 5.0 / ticks_per_second;
    for (const double t : {0.0, 0.25, 0.5, 0.9})
        EXPECT_NEAR(at(curve, t), t, 1e-9); // both inner points equal the outer ones: a straight line
}

TEST(FbxCurve, RepeatsBothWays)
{
    const Curve curve = zigzag(CurveExtrapolation::repetition);
    EXPECT_NEAR(at(curve, 3.5), 5, 1e-9);
    EXPECT_NEAR(at(curve, 7.5), 5, 1e-9);
    EXPECT_NEAR(at(curve, 0.5), 7, 1e-9);
    EXPECT_EQ(at(curve, 5, TimeSide::before), 4);
    EXPECT_EQ(at(curve, 5, TimeSide::after), 0);
    EXPECT_EQ(at(curve, 1, TimeSide::before), 4);
    EXPECT_EQ(at(curve, -1, TimeSide::before), 4);
    EXPECT_EQ(at(curve, -1, TimeSide::after), 0);
}

TEST(FbxCurve, RepeatsACountedNumberOfTimes)
{
    const Curve twice = zigzag(CurveExtrapolation::repetition, 2);
    EXPECT_NEAR(at(twice, 6.5), 7, 1e-9);
    EXPECT_EQ(at(twice, 7, TimeSide::before), 4);
    EXPECT_EQ(at(twice, 7.5), 4);
    EXPECT_NEAR(at(twice, -2.5), 5, 1e-9);
    EXPECT_EQ(at(twice, -3.5), 0);
    EXPECT_EQ(at(zigzag(CurveExtrapolation::repetition, 0), 3.5), 4);
}

TEST(FbxCurve, MirrorsToAndFro)
{
    const Curve curve = zigzag(CurveExtrapolation::mirror);
    EXPECT_NEAR(at(curve, 3.5), 7, 1e-9);
    EXPECT_NEAR(at(curve, 4.5), 5, 1e-9);
    EXPECT_NEAR(at(curve, 5.5), 5, 1e-9);
    EXPECT_NEAR(at(curve, 0.5), 5, 1e-9);
    EXPECT_NEAR(at(curve, -1.5), 7, 1e-9);
    EXPECT_NEAR(sample(curve, 3.5 * ticks_per_second).rate * ticks_per_second, 6, 1e-9);
    for (const int count : {1, 2, 3}) {
        // The last pass ends where it leads to.
        const Curve counted = zigzag(CurveExtrapolation::mirror, count);
        const double inside = 3 + 2 * count, left = 1 - 2 * count;
        EXPECT_EQ(at(counted, 9), count % 2 == 1 ? 0 : 4) << count;
        EXPECT_EQ(at(counted, -9), count % 2 == 1 ? 4 : 0) << count;
        EXPECT_NEAR(at(counted, inside - 1e-6), at(counted, 9), 1e-4) << "no jump";
        EXPECT_NEAR(at(counted, left + 1e-6), at(counted, -9), 1e-4);
    }
}

TEST(FbxCurve, KeyTimesHaveKeyValues)
{
    using enum KeyInterpolation;
    const Curve curve{.keys = {key(0, 1, constant), key(1, 2, constant_next), key(2, 3), key(3, 4)},
                      .before = {CurveExtrapolation::repetition},
                      .after = {CurveExtrapolation::repetition}};
    EXPECT_EQ(at(curve, 1, TimeSide::before), 1);
    EXPECT_EQ(at(curve, 1, TimeSide::at), 2);
    EXPECT_EQ(at(curve, 1, TimeSide::after), 3);
    EXPECT_EQ(at(curve, 1.5, TimeSide::at), 3) << "between keys there is but one value";
    EXPECT_EQ(at(curve, 3, TimeSide::at), 4) << "the last key before the repetitions";
    EXPECT_EQ(at(curve, 6, TimeSide::at), 1) << "their first keys, beyond the keys";
    EXPECT_EQ(at(curve, 0, TimeSide::at), 1);
    EXPECT_EQ(at(curve, -3, TimeSide::at), 4) << "their last, before them";
}

TEST(FbxCurve, ExtrapolatesLinearlyOrWithOffset)
{
    const Curve straight = zigzag(CurveExtrapolation::keep_slope);
    EXPECT_NEAR(at(straight, 4), -2, 1e-9);
    EXPECT_NEAR(at(straight, 0), -10, 1e-9);
    const Curve relative = zigzag(CurveExtrapolation::relative_repetition);
    EXPECT_NEAR(at(relative, 3.5), 9, 1e-9);
    EXPECT_NEAR(at(relative, 5.5), 13, 1e-9);
    EXPECT_NEAR(at(relative, 0.5), 3, 1e-9);
    EXPECT_NEAR(at(relative, -1.5), -1, 1e-9);
    EXPECT_EQ(at(zigzag(CurveExtrapolation::relative_repetition, 1), 100), 8);
}

TEST(FbxCurve, DetectsAStaticScene)
{
    Curve still{.keys = {key(0, 5, KeyInterpolation::cubic), key(1, 5)}};
    EXPECT_TRUE(is_constant(still));
    still.keys[0].right_slope = 1.0 / ticks_per_second;
    EXPECT_FALSE(is_constant(still));
    EXPECT_FALSE(is_constant(zigzag(CurveExtrapolation::constant)));
    EXPECT_NEAR(travel(zigzag(CurveExtrapolation::constant), 1), 6, 1e-12);
}

TEST(FbxCurve, FindsTheSameFromEveryHint)
{
    Curve curve;
    for (int i = 0; i < 100; ++i)
        curve.keys.push_back(key(i, (i * 37) % 11));
    for (std::size_t from = 0; from < 120; from += 7) {
        std::size_t hint = from;
        EXPECT_EQ(sample(curve, 42.5 * ticks_per_second, TimeSide::after, hint).value, at(curve, 42.5));
        EXPECT_EQ(hint, 43u);
    }
}

} // namespace
