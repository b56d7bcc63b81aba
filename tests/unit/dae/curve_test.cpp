#include "loaders/dae/curves/curve.hpp"

#include <gtest/gtest.h>

namespace vitrine::dae {
namespace {

SamplerCurve curve(SamplerInterpolation kind, std::vector<double> times, std::vector<double> values)
{
    SamplerCurve c{.dimensions = 1,
                   .times = std::move(times),
                   .jumps = {},
                   .values = std::move(values),
                   .kinds = {},
                   .in = {},
                   .out = {}};
    c.kinds.assign(c.times.size(), kind);
    return c;
}

TEST(DaeCurve, EndsHold)
{
    const SamplerCurve c = curve(SamplerInterpolation::linear, {1, 2}, {10, 20});
    EXPECT_EQ(c.evaluate(0, 0), 10);
    EXPECT_EQ(c.evaluate(1.5, 0), 15);
    EXPECT_EQ(c.evaluate(3, 0), 20);
}

// The second of two keys at one time starts the next segment.
TEST(DaeCurve, TwoKeysAtOneTimeAreAJump)
{
    SamplerCurve c = curve(SamplerInterpolation::linear, {0, 1, 1, 2}, {0, 1, 5, 6});
    c.jumps = {2};
    EXPECT_EQ(c.evaluate(0.5, 0), 0.5);
    EXPECT_EQ(c.evaluate(1, 0, JumpSide::before), 1);
    EXPECT_EQ(c.evaluate(1, 0), 5);
    EXPECT_EQ(c.evaluate(1.5, 0), 5.5);
}

TEST(DaeCurve, JumpsAtBothEndsHaveTheirSides)
{
    SamplerCurve c = curve(SamplerInterpolation::linear, {0, 0, 1, 1}, {7, 1, 3, 9});
    c.jumps = {1, 3};
    EXPECT_EQ(c.evaluate(-1, 0), 7);
    EXPECT_EQ(c.evaluate(0, 0, JumpSide::before), 7);
    EXPECT_EQ(c.evaluate(0, 0), 1);
    EXPECT_EQ(c.evaluate(1, 0, JumpSide::before), 3);
    EXPECT_EQ(c.evaluate(1, 0), 9);
    EXPECT_EQ(c.evaluate(2, 0), 9);
}

// Points on a line on either side: a spline that extended across the jump would bend.
TEST(DaeCurve, SplinesDoNotLookAcrossAJump)
{
    for (const SamplerInterpolation kind : {SamplerInterpolation::cardinal, SamplerInterpolation::bspline}) {
        SamplerCurve c = curve(kind, {0, 1, 2, 2, 3, 4}, {0, 1, 2, 50, 51, 52});
        c.jumps = {3};
        for (int i = 0; i < 16; ++i)
            EXPECT_NEAR(c.evaluate(i / 4.0, 0), i / 4.0 + (i < 8 ? 0 : 48), 1e-9) << i;
        EXPECT_NEAR(c.evaluate(2, 0, JumpSide::before), 2, 1e-9);
    }
}

// Each key of a jump has the handle of its own side.
TEST(DaeCurve, BezierHandlesMeetTheirSideOfAJump)
{
    SamplerCurve c = curve(SamplerInterpolation::bezier, {0, 3, 3, 6}, {0, 3, 30, 33});
    c.jumps = {2};
    c.tangents = SamplerCurve::Tangents::points;
    c.in = {-1, -1, 2, 2, 2, 99, 5, 32};
    c.out = {1, 1, 4, 99, 4, 31, 7, 34};
    for (int i = 0; i < 24; ++i)
        EXPECT_NEAR(c.evaluate(i / 4.0, 0), i / 4.0 + (i < 12 ? 0 : 27), 1e-9) << i;
}

TEST(DaeCurve, StepsHoldUntilTheNextKeyAndHaveTwoSides)
{
    const SamplerCurve c = curve(SamplerInterpolation::step, {0, 1, 2}, {5, 6, 7});
    EXPECT_EQ(c.evaluate(0.999, 0), 5);
    EXPECT_EQ(c.evaluate(1, 0), 6);
    EXPECT_EQ(c.evaluate(1, 0, JumpSide::before), 5);
    EXPECT_EQ(c.evaluate(2, 0), 7);
}

TEST(DaeCurve, KindsMayDifferByKey)
{
    SamplerCurve c = curve(SamplerInterpolation::linear, {0, 1, 2}, {0, 1, 3});
    c.kinds[0] = SamplerInterpolation::step;
    EXPECT_EQ(c.evaluate(0.5, 0), 0);
    EXPECT_EQ(c.evaluate(1.5, 0), 2);
}

// Handles at a third and two thirds of a line: the curve is that line.
TEST(DaeCurve, BezierPointsOnALineAreThatLine)
{
    SamplerCurve c = curve(SamplerInterpolation::bezier, {0, 3}, {0, 6});
    c.tangents = SamplerCurve::Tangents::points;
    c.in = {-1, -2, 2, 4};
    c.out = {1, 2, 4, 8};
    for (int i = 0; i <= 12; ++i)
        EXPECT_NEAR(c.evaluate(i / 4.0, 0), i / 2.0, 1e-9) << i;
}

// x(s) = s^3 + 3 s (1-s)^2 * 0 ...: checked at s = 1/2 of an ease with handles (0.5, 0) and (0.5, 1).
TEST(DaeCurve, BezierTimeIsSolved)
{
    SamplerCurve c = curve(SamplerInterpolation::bezier, {0, 1}, {0, 1});
    c.tangents = SamplerCurve::Tangents::points;
    c.in = {0, 0, 0.8, 1};
    c.out = {0.1, 0, 1, 1};
    const double s = 0.3, r = 0.7;
    const double x = 3 * r * r * s * 0.1 + 3 * r * s * s * 0.8 + s * s * s;
    const double y = 3 * r * s * s + s * s * s;
    EXPECT_NEAR(c.evaluate(x, 0), y, 1e-9);
}

TEST(DaeCurve, BezierOfValuesAloneIsEvenInTime)
{
    SamplerCurve c = curve(SamplerInterpolation::bezier, {0, 1}, {0, 1});
    c.tangents = SamplerCurve::Tangents::values;
    c.in = {0, 1};
    c.out = {0, 0};
    const double t = 0.25; // 3 t^2 - 2 t^3
    EXPECT_NEAR(c.evaluate(t, 0), 3 * t * t - 2 * t * t * t, 1e-9);
}

TEST(DaeCurve, HandlesBeyondTheirSegmentAreCut)
{
    SamplerCurve c = curve(SamplerInterpolation::bezier, {0, 1}, {0, 1});
    c.tangents = SamplerCurve::Tangents::points;
    c.in = {0, 0, -5, 1};
    c.out = {9, 0, 1, 1};
    double last = -1;
    for (int i = 0; i <= 20; ++i) {
        const double value = c.evaluate(i / 20.0, 0);
        EXPECT_GE(value, last);
        last = value;
    }
}

TEST(DaeCurve, HermiteTangentsAreDerivatives)
{
    SamplerCurve c = curve(SamplerInterpolation::hermite, {0, 2}, {0, 1});
    c.tangents = SamplerCurve::Tangents::values;
    c.in = {0, 3};
    c.out = {5, 0};
    const double s = 0.4; // h10 * 5 + h01 * 1 + h11 * 3
    const double expected =
        (s * s * s - 2 * s * s + s) * 5 + (3 * s * s - 2 * s * s * s) + (s * s * s - s * s) * 3;
    EXPECT_NEAR(c.evaluate(2 * s, 0), expected, 1e-9);
    c.tangents = SamplerCurve::Tangents::points;
    c.in = {0, 0, 2, 3};
    c.out = {2, 5, 0, 0};
    EXPECT_NEAR(c.evaluate(2 * s, 0), expected, 1e-9);
}

TEST(DaeCurve, MissingTangentsAreStraight)
{
    EXPECT_EQ(curve(SamplerInterpolation::bezier, {0, 1}, {0, 1}).evaluate(0.25, 0), 0.25);
    EXPECT_EQ(curve(SamplerInterpolation::hermite, {0, 1}, {0, 1}).evaluate(0.25, 0), 0.25);
}

TEST(DaeCurve, CardinalGoesThroughItsKeysAndKeepsLines)
{
    const SamplerCurve line = curve(SamplerInterpolation::cardinal, {0, 1, 2, 3}, {0, 2, 4, 6});
    EXPECT_NEAR(line.evaluate(0.3, 0), 0.6, 1e-9);
    EXPECT_NEAR(line.evaluate(1.7, 0), 3.4, 1e-9);
    const SamplerCurve bump = curve(SamplerInterpolation::cardinal, {0, 1, 2}, {0, 1, 0});
    EXPECT_NEAR(bump.evaluate(1, 0), 1, 1e-12);
    // Catmull-Rom with P3 = 2 P2 - P1 beyond the end: -P0 + 9 P1 + 9 P2 - P3 over 16.
    EXPECT_NEAR(bump.evaluate(1.5, 0), (0 + 9 * 1 + 0 + 1) / 16.0, 1e-9);
}

TEST(DaeCurve, BSplineIsNearItsKeysAndMeetsTheEnds)
{
    const SamplerCurve c = curve(SamplerInterpolation::bspline, {0, 1, 2, 3}, {0, 6, 0, 6});
    EXPECT_NEAR(c.evaluate(0, 0), 0, 1e-9);
    EXPECT_NEAR(c.evaluate(1, 0), (0 + 4 * 6 + 0) / 6.0, 1e-9);
    EXPECT_NEAR(c.evaluate(2, 0), (6 + 0 + 6) / 6.0, 1e-9);
    EXPECT_NEAR(c.evaluate(3, 0), 6, 1e-9);
}

} // namespace
} // namespace vitrine::dae
