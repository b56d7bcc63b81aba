// Rays through pixels and their intersections.

#include <gtest/gtest.h>

#include "vk_renderer/picking/ray.hpp"

namespace vitrine::render {
namespace {

// From the origin along -Z, with a radius of a hundredth of the depth.
const Ray straight{.origin = {}, .direction = {0.0f, 0.0f, -1.0f}};
const PickRadius narrow{.ahead = {0.0f, 0.0f, -1.0f}, .constant = 0.0f, .per_meter = 0.01f};
const PickRadius parallel{.ahead = {0.0f, 0.0f, -1.0f}, .constant = 0.01f, .per_meter = 0.0f};

TEST(Ray, HitsALineInTheImage)
{
    // In the image the origin is midway between x = -1 and 1, which is a quarter of the length of the
    // segment.
    const auto intersection = intersect_segment(straight, narrow, {-1.0, 0.0, -1.0}, {3.0, 0.0, -3.0});
    ASSERT_TRUE(intersection);
    EXPECT_NEAR(intersection->barycentric[0], 0.75f, 1e-6f);
    EXPECT_NEAR(intersection->barycentric[1], 0.25f, 1e-6f);
    EXPECT_EQ(intersection->barycentric[2], 0.0f);
    EXPECT_NEAR(intersection->t, 1.5f, 1e-6f);
}

TEST(Ray, HitsALineWithinItsRadius)
{
    for (const double beside : {0.019, -0.019, 0.021, -0.021}) {
        const glm::dvec3 a(beside, -1.0, -2.0), b(beside, 1.0, -2.0);
        EXPECT_EQ(intersect_segment(straight, narrow, a, b).has_value(), std::abs(beside) < 0.02) << beside;
        EXPECT_EQ(intersect_segment(straight, parallel, a / 2.0, b / 2.0).has_value(),
                  std::abs(beside) < 0.02);
    }
}

TEST(Ray, HitsTheEndOfALine)
{
    const auto intersection = intersect_segment(straight, narrow, {0.01, 0.0, -2.0}, {1.0, 0.0, -2.0});
    ASSERT_TRUE(intersection);
    EXPECT_EQ(intersection->barycentric[0], 1.0f);
    EXPECT_FALSE(intersect_segment(straight, narrow, {0.03, 0.0, -2.0}, {1.0, 0.0, -2.0}));
}

TEST(Ray, HitsADegenerateLine)
{
    for (const auto& reach : {narrow, parallel}) {
        const glm::dvec3 at(0.0, 0.0, -4.0);
        const auto intersection = intersect_segment(straight, reach, at, at);
        ASSERT_TRUE(intersection);
        EXPECT_EQ(intersection->t, 4.0f);
        // A segment along the ray projects to one point.
        EXPECT_TRUE(intersect_segment(straight, reach, at, at * 2.0));
    }
}

TEST(Ray, MissesGeometryBehindTheEye)
{
    EXPECT_FALSE(intersect_segment(straight, narrow, {-1.0, 0.0, 1.0}, {1.0, 0.0, 1.0}));
    EXPECT_FALSE(intersect_point(straight, narrow, {0.0, 0.0, 1.0}));
    EXPECT_FALSE(intersect_triangle(straight, {-1.0, -1.0, 1.0}, {1.0, -1.0, 1.0}, {0.0, 1.0, 1.0}));

    // From behind the eye to in front of it: it enters the image from the left, where it passes the eye's
    // plane.
    const auto intersection = intersect_segment(straight, narrow, {-3.0, 0.0, 1.0}, {1.0, 0.0, -3.0});
    ASSERT_TRUE(intersection);
    EXPECT_NEAR(intersection->barycentric[1], 0.75f, 1e-6f);
    EXPECT_NEAR(intersection->t, 2.0f, 1e-5f);
    EXPECT_FALSE(intersect_segment(straight, narrow, {3.0, 0.0, 1.0}, {1.0, 0.0, -3.0}));
}

TEST(Ray, PassesThroughAnotherPointOfTheImage)
{
    const glm::vec3 point(1.0f, 2.0f, -4.0f);
    const auto seen = ray_toward(straight, narrow, point);
    EXPECT_EQ(seen.origin, straight.origin);
    EXPECT_EQ(seen.origin + 4.0f * seen.direction, point);
    const auto beside = ray_toward(straight, parallel, point);
    EXPECT_EQ(beside.direction, straight.direction);
    EXPECT_EQ(beside.origin + 4.0f * beside.direction, point);
}

} // namespace
} // namespace vitrine::render
