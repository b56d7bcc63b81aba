#include <array>
#include <limits>

#include <gmock/gmock.h>

#include "loaders/fbx/meshes/blend_shapes.hpp"

namespace vitrine::fbx {
namespace {

using testing::ElementsAre;

std::vector<float> ramp(std::vector<double> full_weights, double percent)
{
    std::vector<float> weights(full_weights.size(), 7.0f);
    ramp_weights(full_weights, percent, weights);
    return weights;
}

TEST(FbxRamp, OneTargetGrowsWithThePercent)
{
    EXPECT_THAT(ramp({100.0}, 0.0), ElementsAre(0.0f));
    EXPECT_THAT(ramp({100.0}, 25.0), ElementsAre(0.25f));
    EXPECT_THAT(ramp({100.0}, 150.0), ElementsAre(1.5f));
    EXPECT_THAT(ramp({100.0}, -50.0), ElementsAre(-0.5f));
}

TEST(FbxRamp, GoesFromOneTargetToTheNext)
{
    EXPECT_THAT(ramp({50.0, 100.0}, 25.0), ElementsAre(0.5f, 0.0f));
    EXPECT_THAT(ramp({50.0, 100.0}, 50.0), ElementsAre(1.0f, 0.0f));
    EXPECT_THAT(ramp({50.0, 100.0}, 75.0), ElementsAre(0.5f, 0.5f));
    EXPECT_THAT(ramp({50.0, 100.0}, 100.0), ElementsAre(0.0f, 1.0f));
    EXPECT_THAT(ramp({50.0, 100.0}, 150.0), ElementsAre(-1.0f, 2.0f));
}

TEST(FbxRamp, HasTargetsOnBothSidesOfZero)
{
    EXPECT_THAT(ramp({-100.0, -50.0, 100.0}, -75.0), ElementsAre(0.5f, 0.5f, 0.0f));
    EXPECT_THAT(ramp({-100.0, -50.0, 100.0}, -25.0), ElementsAre(0.0f, 0.5f, 0.0f));
    EXPECT_THAT(ramp({-100.0, -50.0, 100.0}, 50.0), ElementsAre(0.0f, 0.0f, 0.5f));
    EXPECT_THAT(ramp({-50.0}, 25.0), ElementsAre(-0.5f));
    EXPECT_THAT(ramp({0.0}, 25.0), ElementsAre(0.0f));
}

TEST(FbxRamp, StaysFinite)
{
    constexpr float most = std::numeric_limits<float>::max();
    EXPECT_THAT(ramp({100.0}, 1e300), ElementsAre(most));
    EXPECT_THAT(ramp({1e-300}, -1e300), ElementsAre(-most));
    EXPECT_THAT(ramp({50.0, 100.0}, 1e300), ElementsAre(-most, most));
    EXPECT_THAT(ramp({-1.7e308, 1.7e308}, 1.7e308), ElementsAre(0.0f, 1.0f));
}

} // namespace
} // namespace vitrine::fbx
