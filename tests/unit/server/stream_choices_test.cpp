// How many pixels and triangles a live view is drawn with, by what drawing took.

#include <cmath>

#include <gtest/gtest.h>

#include "server/stream/detail_choice.hpp"
#include "server/stream/scale_choice.hpp"

namespace vitrine::server {
namespace {

constexpr double full = 512.0 * 512.0;

TEST(ScaleChoice, FullSizeWhileNothingIsKnownOrDrawingIsQuick)
{
    ScaleChoice size;
    EXPECT_EQ(size.of_moving(full, true), 1.0);
    size.took(true, full, 0.024);
    EXPECT_EQ(size.of_moving(full, true), 1.0);
}

TEST(ScaleChoice, WhatIsDraggedHasLessTimeThanWhatPlays)
{
    ScaleChoice size;
    size.took(true, full, 0.045);
    EXPECT_EQ(size.of_moving(full, false), 1.0);
    EXPECT_LE(0.045 * std::pow(size.of_moving(full, true), 2.0), 0.025 * 1.1 * 1.1);
}

TEST(ScaleChoice, StepsHoldUntilTheyAreClearlyWrong)
{
    ScaleChoice size;
    size.took(true, full, 0.05);
    const double first = size.of_moving(full, true);
    EXPECT_NEAR(first, 0.84 * 0.84, 1e-9);
    for (const double seconds : {0.052, 0.048, 0.051}) { // of a full picture
        size.took(true, full, seconds);
        EXPECT_EQ(size.of_moving(full, true), first);
    }
    for (int i = 0; i < 30; ++i)
        size.took(true, full, 0.2);
    EXPECT_LT(size.of_moving(full, true), first);
    for (int i = 0; i < 30; ++i)
        size.took(true, full, 0.01);
    EXPECT_EQ(size.of_moving(full, true), 1.0);
}

TEST(ScaleChoice, NeverTooSmallToSee)
{
    ScaleChoice size;
    size.took(true, full, 60.0);
    EXPECT_EQ(size.of_moving(full, true), 0.4);
}

TEST(ScaleChoice, AStillHasToDoUntilSomethingMoved)
{
    ScaleChoice size;
    size.took(false, full, 0.4);
    EXPECT_EQ(size.of_moving(full, true), 0.4);
    size.took(true, full, 0.01); // with fewer triangles: the still is forgotten
    EXPECT_EQ(size.of_moving(full, true), 1.0);
    size.took(false, full, 0.4);
    EXPECT_EQ(size.of_moving(full, true), 1.0);
}

TEST(ScaleChoice, WhatASmallPictureTakesIsNoMatterOfItsPixels)
{
    ScaleChoice size;
    size.took(true, 64.0 * 64.0, 0.006); // 0.38 s a full picture by its pixels, 0.024 by those of 256 x 256
    EXPECT_EQ(size.of_moving(full, true), 1.0);
}

TEST(DetailChoice, FewerTrianglesAfterThreeLateFramesInARow)
{
    DetailChoice detail;
    constexpr double beat = 1.0 / 60.0;
    for (const double seconds : {0.02, 0.02, 0.01, 0.02, 0.02})
        detail.drew_all(true, seconds, beat);
    EXPECT_FALSE(detail.fewer());
    detail.drew_all(true, 0.02, beat);
    EXPECT_TRUE(detail.fewer());
    detail.drew_all(false, 0.012, beat); // a still that would not do
    EXPECT_TRUE(detail.fewer());
    detail.drew_all(false, 0.009, beat);
    EXPECT_FALSE(detail.fewer());
}

TEST(DetailChoice, AnotherSizeBeginsAnew)
{
    DetailChoice detail;
    for (int i = 0; i < 3; ++i)
        detail.drew_all(true, 1.0, 0.1);
    EXPECT_TRUE(detail.fewer());
    detail.forget();
    EXPECT_FALSE(detail.fewer());
}

} // namespace
} // namespace vitrine::server
