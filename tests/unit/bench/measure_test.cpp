#include "tests/bench/gpu/measure.hpp"

#include <gtest/gtest.h>

namespace vitrine::bench {
namespace {

class MeasureWithin : public ::testing::Test {
protected:
    // Runs work that takes `first` seconds, then `others`.
    Measured measure(double budget, double first, double others)
    {
        return measure_within(budget, [&] { time += runs++ == 0 ? first : others; }, [this] { return time; });
    }

    double time = 1000.0; // seconds
    int runs = 0;
};

TEST_F(MeasureWithin, RunsOnceWhereTheFirstRunUsesTheBudgetUp)
{
    const auto measured = measure(1.0, 5.0, 0.0);
    EXPECT_EQ(runs, 1);
    EXPECT_EQ(measured.runs, 0);
    EXPECT_EQ(measured.seconds, 5.0);
}

TEST_F(MeasureWithin, RepeatsUntilTheBudgetIsUsedUp)
{
    EXPECT_EQ(measure(10.0, 1.0, 2.0).runs, 5);
    EXPECT_EQ(time, 1011.0);
}

TEST_F(MeasureWithin, BoundsTheRunsOfShortWork)
{
    const auto measured = measure(60.0, 0.0, 0.0);
    EXPECT_EQ(runs, 26);
    EXPECT_EQ(measured.runs, 25);
}

// The first run, which may create what the others use, does not count.
TEST_F(MeasureWithin, ReturnsTheMedianOfTheOthers)
{
    EXPECT_EQ(measure(60.0, 50.0, 0.5).seconds, 0.5);
}

TEST(MeasureWithinClock, IsTheSteadyClockByDefault)
{
    EXPECT_GE(measure_within(0.0, [] {}).seconds, 0.0);
}

} // namespace
} // namespace vitrine::bench
