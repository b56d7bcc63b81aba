#include "loaders/scene/bounds/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loaders/scene/motion/sampling.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::scene {
namespace {
TEST(SampleTimes, IncludeBothEndsAllKeysAndTheRate)
{
    Clip clip;
    clip.duration = 1.0;
    clip.channels.push_back({.node = 0, .times = {-1.0f, 0.013f, 0.5f, 7.0f}, .values = {}});
    const std::vector<double> times = sample_times(clip);
    EXPECT_TRUE(std::ranges::is_sorted(times));
    EXPECT_EQ(times.size(), 32u); // 31 of the grid and 0.013; 0.5 is on the grid
    EXPECT_TRUE(std::ranges::count(times, double{0.013f}));
    EXPECT_EQ(times.front(), 0.0);
    EXPECT_EQ(times.back(), 1.0);
    for (std::size_t i = 1; i < times.size(); ++i)
        EXPECT_LE(times[i] - times[i - 1], 1.001 / 30.0);
}

// A blade that turns by 24 degrees per frame reaches farther between its keys.
TEST(SampleTimes, ContinueBetweenDenseKeys)
{
    Clip clip;
    Channel channel;
    for (int frame = 0; frame <= 32; ++frame)
        channel.times.push_back(static_cast<float>(frame) / 30.0f);
    clip.channels.push_back(channel);
    clip.duration = double{channel.times.back()};
    const auto times = sample_times(clip);
    EXPECT_GT(times.size(), channel.times.size() + 30);
    for (const float key : channel.times)
        EXPECT_TRUE(std::ranges::count(times, double{key})) << key;
}

TEST(SampleTimes, IncludeTheKeysOfRepetitions)
{
    Clip clip;
    clip.duration = 2.0;
    clip.channels.push_back({.node = 0,
                             .times = {0.5f, 0.625f, 1.0f},
                             .values = {},
                             .before = {.mode = ExtrapolationMode::repeat},
                             .after = {.mode = ExtrapolationMode::mirror, .repeats = 1}});
    const std::vector<double> times = sample_times(clip, 1.0);
    EXPECT_EQ(times, (std::vector<double>{0.0, 0.125, 0.5, 0.625, 1.0, 1.375, 1.5, 2.0}));
}

TEST(SampleTimes, AreLimited)
{
    Clip clip;
    EXPECT_EQ(sample_times(clip), std::vector<double>{0.0});
    clip.duration = 1e300;
    EXPECT_EQ(sample_times(clip).size(), 4096u);
    clip.duration = 10.0;
    Channel channel{.node = 0, .times = {}, .values = {}};
    for (int i = 0; i < 100'000; ++i)
        channel.times.push_back(static_cast<float>(i) * 1e-4f);
    clip.channels.assign(20, channel);
    const std::vector<double> times = sample_times(clip, 30.0, 500);
    EXPECT_EQ(times.size(), 500u);
    channel.times = {0.0f, 1e-30f};
    channel.after.mode = ExtrapolationMode::repeat;
    clip.channels.assign(20, channel);
    EXPECT_EQ(sample_times(clip, 30.0, 500).size(), 500u);
    EXPECT_EQ(times.back(), 10.0);
}

} // namespace
} // namespace vitrine::scene
