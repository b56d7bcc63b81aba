#include "loaders/base/srgb.hpp"

#include <gtest/gtest.h>

namespace vitrine::scene {
namespace {

TEST(Srgb, ConvertsHalfIntensity)
{
    EXPECT_NEAR(linear_from_srgb(188.0 / 255.0), 0.5, 0.003);
    EXPECT_EQ(std::lround(255.0 * srgb_from_linear(0.5)), 188);
}

TEST(Srgb, IsLinearForDarkValues)
{
    EXPECT_FLOAT_EQ(linear_from_srgb(0.04f), 0.04f / 12.92f);
    EXPECT_FLOAT_EQ(srgb_from_linear(0.003f), 0.003f * 12.92f);
}

TEST(Srgb, ConvertsColorsByComponent)
{
    EXPECT_EQ(linear_from_srgb(glm::vec3(0.0f, 0.5f, 1.0f)), glm::vec3(0.0f, linear_from_srgb(0.5f), 1.0f));
}

TEST(Srgb, RoundTrips)
{
    for (int i = 0; i <= 255; ++i) {
        const double encoded = i / 255.0;
        EXPECT_NEAR(srgb_from_linear(linear_from_srgb(encoded)), encoded, 1e-6) << i;
    }
}

} // namespace
} // namespace vitrine::scene
