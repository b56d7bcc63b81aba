// Adaptation of resolution and triangles of a live view to render times.

#include <cmath>
#include <utility>

#include <gtest/gtest.h>

#include "server/preview/lod_selector.hpp"
#include "server/preview/preview_session.hpp"
#include "server/preview/resolution_scaler.hpp"

namespace vitrine::server {
namespace {

constexpr double full = 512.0 * 512.0;

TEST(ResolutionScaler, FullSizeWithoutMeasurementsOrWhenFast)
{
    ResolutionScaler size;
    EXPECT_EQ(size.scale_for_motion(full, true), 1.0);
    size.record(true, full, 0.024);
    EXPECT_EQ(size.scale_for_motion(full, true), 1.0);
}

TEST(ResolutionScaler, DraggingHasASmallerBudgetThanPlayback)
{
    ResolutionScaler size;
    size.record(true, full, 0.045);
    EXPECT_EQ(size.scale_for_motion(full, false), 1.0);
    EXPECT_LE(0.045 * std::pow(size.scale_for_motion(full, true), 2.0), 0.025 * 1.1 * 1.1);
}

TEST(ResolutionScaler, StepsHaveHysteresis)
{
    ResolutionScaler size;
    size.record(true, full, 0.05);
    const double first = size.scale_for_motion(full, true);
    EXPECT_NEAR(first, 0.84 * 0.84, 1e-9);
    for (const double seconds : {0.052, 0.048, 0.051}) { // of a full image
        size.record(true, full, seconds);
        EXPECT_EQ(size.scale_for_motion(full, true), first);
    }
    for (int i = 0; i < 30; ++i)
        size.record(true, full, 0.2);
    EXPECT_LT(size.scale_for_motion(full, true), first);
    for (int i = 0; i < 30; ++i)
        size.record(true, full, 0.01);
    EXPECT_EQ(size.scale_for_motion(full, true), 1.0);
}

// A frame of the scale that is in use, at the cost of `seconds` for a full image.
double next_scale(ResolutionScaler& size, double seconds)
{
    const double scale = size.scale_for_motion(full, true);
    size.record(true, full * scale * scale, seconds * scale * scale);
    return size.scale_for_motion(full, true);
}

TEST(ResolutionScaler, ReturnsToFullSizeOnceThatIsAffordableForAWhile)
{
    ResolutionScaler size;
    EXPECT_NEAR(next_scale(size, 0.033), 0.84, 1e-9); // one slow frame
    for (int i = 0; i < 50; ++i)
        EXPECT_NEAR(next_scale(size, 0.024), 0.84, 1e-9) << "it may be slow again";
    for (int i = 0; i < 30; ++i)
        (void)next_scale(size, 0.024);
    EXPECT_EQ(size.scale_for_motion(full, true), 1.0);
}

TEST(ResolutionScaler, DoesNotAlternateAroundTheBudget)
{
    ResolutionScaler size;
    int changes = 0;
    double last = next_scale(size, 0.033);
    for (int i = 0; i < 600; ++i) { // the mean is above the budget once a second
        const double scale = next_scale(size, i % 60 == 0 ? 0.045 : 0.020);
        changes += std::exchange(last, scale) != scale ? 1 : 0;
    }
    EXPECT_EQ(changes, 0);
    for (int i = 0; i < 600; ++i) { // within the hysteresis of the full size
        const double scale = next_scale(size, i < 200 ? 0.024 : i < 400 ? 0.029 : 0.024);
        changes += std::exchange(last, scale) != scale ? 1 : 0;
    }
    EXPECT_EQ(changes, 1);
    EXPECT_EQ(last, 1.0);
}

TEST(ResolutionScaler, HasAMinimumScale)
{
    ResolutionScaler size;
    size.record(true, full, 60.0);
    EXPECT_EQ(size.scale_for_motion(full, true), 0.4);
}

TEST(ResolutionScaler, UsesAStillUntilMotionWasMeasured)
{
    ResolutionScaler size;
    size.record(false, full, 0.4);
    EXPECT_EQ(size.scale_for_motion(full, true), 0.4);
    size.record(true, full, 0.01); // with the LOD scene: the measurement of the still is discarded
    EXPECT_EQ(size.scale_for_motion(full, true), 1.0);
    size.record(false, full, 0.4);
    EXPECT_EQ(size.scale_for_motion(full, true), 1.0);
}

TEST(ResolutionScaler, SmallImagesHaveAFixedCost)
{
    ResolutionScaler size;
    size.record(true, 64.0 * 64.0, 0.006); // 0.38 s per full image by its pixels, 0.024 by 256 x 256
    EXPECT_EQ(size.scale_for_motion(full, true), 1.0);
}

TEST(LodSelector, FewerTrianglesAfterThreeLateFramesInARow)
{
    LodSelector detail;
    constexpr double frame_interval = 1.0 / 60.0;
    for (const double seconds : {0.02, 0.02, 0.01, 0.02, 0.02})
        detail.record_full_detail(true, seconds, frame_interval);
    EXPECT_FALSE(detail.use_lod());
    detail.record_full_detail(true, 0.02, frame_interval);
    EXPECT_TRUE(detail.use_lod());
    detail.record_full_detail(false, 0.012, frame_interval); // a still that is too slow
    EXPECT_TRUE(detail.use_lod());
    detail.record_full_detail(false, 0.009, frame_interval);
    EXPECT_FALSE(detail.use_lod());
}

TEST(LodSelector, OneHeavyFrameDecides)
{
    for (const bool moving : {false, true}) {
        LodSelector detail;
        detail.record_full_detail(moving, 0.3, 1.0 / 60.0);
        EXPECT_FALSE(detail.use_lod());
        detail.record_full_detail(moving, 0.5, 1.0 / 60.0);
        EXPECT_TRUE(detail.use_lod());
        detail.record_full_detail(false, 0.5, 1.0 / 60.0);
        EXPECT_TRUE(detail.use_lod());
        detail.record_full_detail(false, 0.005, 1.0 / 60.0);
        EXPECT_FALSE(detail.use_lod());
    }
}

TEST(LodSelector, ChangeOfSizeResets)
{
    LodSelector detail;
    for (int i = 0; i < 3; ++i)
        detail.record_full_detail(true, 1.0, 0.1);
    EXPECT_TRUE(detail.use_lod());
    detail.forget();
    EXPECT_FALSE(detail.use_lod());
}

} // namespace
TEST(Adaptation, ThirtyFramesArePreferredToLessThanThreeFifthsOfTheSides)
{
    ResolutionScaler size;
    size.record(true, full, 0.090); // 0.0324 s at 0.6 of the sides, more than the budget of a drag
    EXPECT_EQ(size.scale_for_motion(full, true), 0.6);
    ResolutionScaler slower;
    slower.record(true, full, 0.150); // 0.054 s
    EXPECT_LT(slower.scale_for_motion(full, true), 0.6);
}

TEST(Adaptation, WaitingForOtherViewersCountsInMotion)
{
    const PreviewTime start{std::chrono::hours(1)};
    const DrawnFrame drawn{.render_us = 10'000, .encode_us = 2'000};
    using namespace std::chrono_literals;
    EXPECT_DOUBLE_EQ(frame_seconds({.started = start, .moving = true}, drawn, start + 400ms), 0.4);
    EXPECT_DOUBLE_EQ(frame_seconds({.started = start, .moving = true}, drawn, start + 5ms), 0.012);
    EXPECT_DOUBLE_EQ(frame_seconds({.started = start, .moving = false}, drawn, start + 400ms), 0.012);
}

} // namespace vitrine::server
