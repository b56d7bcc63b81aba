// The size of drawn points.

#include <gtest/gtest.h>

#include "vk_renderer/passes/point_size.hpp"

namespace vitrine::render {
namespace {

TEST(PointSize, IsLimitedByTheImageForFewPoints)
{
    EXPECT_NEAR(point_diameter(8, 512, 512), 12.0, 1.0);
    EXPECT_NEAR(point_diameter(8, 256, 256), 6.0, 0.5);
    EXPECT_EQ(point_diameter(8, 2000, 512), point_diameter(8, 512, 512)) << "limited by the smaller side";
    EXPECT_EQ(point_diameter(8, 512, 2000), point_diameter(8, 512, 512));
}

TEST(PointSize, IsSmallButVisibleForManyPoints)
{
    for (const auto count : {std::uint64_t{2000}, std::uint64_t{1} << 40})
        EXPECT_EQ(point_diameter(count, 512, 512), 2.5f);
    EXPECT_EQ(point_diameter(1, 16, 16), 2.5f);
    EXPECT_EQ(point_diameter(0, 512, 512), 0.0f) << "nothing exceeds the drawn width";
}

TEST(PointSize, AddsHalfASampleForTheRim)
{
    EXPECT_EQ(point_width(6.0f, 2.0f), 6.5f);
    EXPECT_EQ(point_width(6.0f, 1.0f), 7.0f);
    EXPECT_EQ(point_width(2.5f, 2.0f), 2.5f) << "a square has no long side";
    EXPECT_EQ(point_width(0.0f, 2.0f), 0.0f);
}

TEST(PointSize, DecreasesWithTheNumberOfPoints)
{
    auto last = point_diameter(1, 512, 512);
    for (std::uint64_t count = 2; count < 4000; ++count) {
        const auto now = point_diameter(count, 512, 512);
        EXPECT_LE(now, last);
        // Over a third of the image, the points leave more space than they cover.
        EXPECT_TRUE(now == 2.5f || static_cast<float>(count) * now * now < 0.5f * 512 * 512 / 3) << count;
        last = now;
    }
}

} // namespace
} // namespace vitrine::render
