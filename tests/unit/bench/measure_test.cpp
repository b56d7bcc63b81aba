#include "tests/bench/gpu/measure.hpp"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

namespace vitrine::bench {
namespace {

TEST(MeasureWithin, RunsOnceWhereTheFirstRunUsesTheBudgetUp)
{
    int runs = 0;
    const auto measured = measure_within(1e-3, [&] {
        ++runs;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    });
    EXPECT_EQ(runs, 1);
    EXPECT_EQ(measured.runs, 0);
    EXPECT_GE(measured.seconds, 5e-3);
}

TEST(MeasureWithin, BoundsTheRunsOfShortWork)
{
    int runs = 0;
    const auto measured = measure_within(60.0, [&] { ++runs; });
    EXPECT_EQ(runs, 26);
    EXPECT_EQ(measured.runs, 25);
}

// The first run, which may create what the others use, does not count.
TEST(MeasureWithin, ReturnsTheMedianOfTheOthers)
{
    int runs = 0;
    const auto measured = measure_within(60.0, [&] {
        if (runs++ == 0) std::this_thread::sleep_for(std::chrono::milliseconds(200));
    });
    EXPECT_LT(measured.seconds, 0.2);
}

} // namespace
} // namespace vitrine::bench
