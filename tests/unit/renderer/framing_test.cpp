// How many poses the framing of a clip looks at.

#include <algorithm>

#include <gtest/gtest.h>

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

} // namespace
} // namespace vitrine::render
