#include "loaders/scene/motion/cut_clip.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "loaders/scene/motion/sampling.hpp"

namespace vitrine::scene {
namespace {

// x is 0, 1, 4, 9, 16 at full seconds.
Channel squares(Interpolation interpolation)
{
    Channel channel;
    channel.node = 0;
    channel.interpolation = interpolation;
    for (int i = 0; i < 5; ++i) {
        const auto x = static_cast<float>(i * i);
        const auto slope = static_cast<float>(2 * i);
        channel.times.push_back(static_cast<float>(i));
        if (interpolation == Interpolation::cubic)
            channel.values.insert(channel.values.end(), {slope, 0, 0, x, 0, 0, slope, 0, 0});
        else
            channel.values.insert(channel.values.end(), {x, 0, 0});
    }
    return channel;
}

float channel_x_at(const Channel& channel, double time)
{
    float value[3] = {};
    sample_channel(channel, time, value);
    return value[0];
}

void expect_same_motion(const Channel& whole, double from, double to, double speed)
{
    Clip clip;
    clip.channels = {whole};
    const auto part = cut_clip(clip, from, to, speed);
    ASSERT_EQ(part.channels.size(), 1u);
    EXPECT_DOUBLE_EQ(part.duration, (to - from) / speed);
    for (int i = 0; i <= 40; ++i) {
        const double t = part.duration * (i + 0.25) / 41; // not on a key, where a step may be on either side
        EXPECT_NEAR(channel_x_at(part.channels[0], t), channel_x_at(whole, from + t * speed), 1e-4) << t;
    }
}

TEST(CutClip, MatchesThePartOfTheOriginal)
{
    for (const auto interpolation : {Interpolation::step, Interpolation::linear, Interpolation::cubic}) {
        expect_same_motion(squares(interpolation), 1.0, 3.0, 1.0);
        expect_same_motion(squares(interpolation), 0.4, 3.7, 2.5);
        expect_same_motion(squares(interpolation), 1.2, 1.3, 0.1);
        expect_same_motion(squares(interpolation), -1.0, 6.0, 1.0);
    }
}

TEST(CutClip, RemovesUnneededKeys)
{
    Clip clip;
    clip.channels = {squares(Interpolation::linear)};
    EXPECT_EQ(cut_clip(clip, 1.5, 2.5, 1.0).channels[0].times, (std::vector<float>{-0.5f, 0.5f, 1.5f}));
    EXPECT_EQ(cut_clip(clip, 1.0, 2.0, 2.0).channels[0].times, (std::vector<float>{0.0f, 0.5f}));
}

TEST(CutClip, KeepsRepetitions)
{
    auto channel = squares(Interpolation::linear);
    channel.after = {ExtrapolationMode::repeat};
    channel.before = {ExtrapolationMode::slope};
    expect_same_motion(channel, 3.0, 11.0, 1.5);
    expect_same_motion(channel, -2.0, 2.0, 1.0);
}

TEST(CutClip, KeepsOneOfKeysThatRoundToTheSameTime)
{
    Clip clip;
    Channel channel;
    channel.node = 0;
    channel.times = {1.0f, std::nextafter(1.0f, 2.0f), 2.0f};
    channel.values = {1, 0, 0, 2, 0, 0, 3, 0, 0};
    clip.channels = {channel};
    const auto part = cut_clip(clip, -1e6, 2.0, 1.0);
    const auto& times = part.channels[0].times;
    EXPECT_EQ(times.size(), 2u);
    EXPECT_LT(times[0], times[1]);
    EXPECT_EQ(part.channels[0].values, (std::vector<float>{2, 0, 0, 3, 0, 0}));
}

} // namespace
} // namespace vitrine::scene
