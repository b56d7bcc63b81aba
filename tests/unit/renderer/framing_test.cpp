// How many poses the framing of a clip looks at.

#include <algorithm>

#include <gtest/gtest.h>

#include "vk_renderer/camera.hpp"
#include "vk_renderer/framing.hpp"

namespace vitrine::render {
namespace {

scene::Clip clip_of(double seconds)
{
    scene::Clip clip;
    clip.duration = seconds;
    return clip;
}

TEST(Framing, ThirtyPosesASecondAndBothEnds)
{
    const auto times = framing_times(clip_of(2.0), 20'000, true);
    EXPECT_GE(times.size(), 61u);
    EXPECT_EQ(times.front(), 0.0);
    EXPECT_EQ(times.back(), 2.0);
    EXPECT_TRUE(std::ranges::is_sorted(times));
}

TEST(Framing, ALongClipOfALargeModelCostsABoundedNumberOfVertices)
{
    for (const std::size_t vertices : {100'000u, 1'000'000u, 30'000'000u}) {
        const auto times = framing_times(clip_of(3600.0), vertices, true);
        EXPECT_LE(times.size() * vertices, std::size_t{1} << 28) << vertices;
        EXPECT_GE(times.size() * vertices, std::size_t{1} << 27) << vertices;
        EXPECT_EQ(times.back(), 3600.0);
    }
    EXPECT_EQ(framing_times(clip_of(3600.0), 1u << 31, true).size(), 2u) << "both ends at least";
    EXPECT_GT(framing_times(clip_of(3600.0), 1'000'000, false).size(),
              framing_times(clip_of(3600.0), 1'000'000, true).size());
}

// A texel of the shadow map is wider than a rod of half a metre by two kilometres.
TEST(Ground, WhatIsThinnerThanATexelCastsLittle)
{
    const auto strength = [](glm::vec3 size) {
        return frame_params(View{}, {-0.5f * size, 0.5f * size}).ground.y;
    };
    EXPECT_EQ(strength({1.0f, 2.0f, 1.0f}), 1.0f);
    EXPECT_EQ(strength({1.0f, 0.0f, 1.0f}), 1.0f) << "a floor is wide";
    EXPECT_EQ(strength({2000.0f, 0.0f, 0.0f}), 1.0f) << "a line has no width, and is drawn with some";
    EXPECT_LT(strength({2000.0f, 0.5f, 0.5f}), 0.05f);
    EXPECT_LT(strength({0.5f, 2000.0f, 0.5f}), 0.05f);
    EXPECT_GT(strength({100.0f, 0.5f, 0.5f}), 0.3f);
}

} // namespace
} // namespace vitrine::render
