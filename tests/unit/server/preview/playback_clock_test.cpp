// The playback time of a clip.

#include <gtest/gtest.h>

#include "server/preview/playback_clock.hpp"

namespace vitrine::server {

using namespace std::chrono_literals;

TEST(PlaybackClock, RepeatsAndPingPongs)
{
    PreviewTime now{std::chrono::hours(1)};
    PlaybackClock clock;
    clock.set_duration(2.0);
    clock.set_playing(true, now);
    EXPECT_NEAR(clock.at(now + 2500ms), 0.5, 1e-9);
    clock.set_speed(-1.0, now);
    EXPECT_NEAR(clock.at(now + 500ms), 1.5, 1e-9);
    clock.set_loop(LoopMode::pingpong, now);
    clock.set_speed(1.0, now);
    EXPECT_NEAR(clock.at(now + 2500ms), 1.5, 1e-9);
    clock.set_speed(1.0, now + 2500ms); // keeps its direction
    EXPECT_NEAR(clock.at(now + 3000ms), 1.0, 1e-9);
    clock.seek(2.0, now + 3000ms);
    clock.set_playing(false, now + 3000ms);
    EXPECT_EQ(clock.at(now + 9000ms), 2.0);
    clock.set_loop(LoopMode::once, now + 9000ms);
    clock.set_playing(true, now + 9000ms); // restarts
    EXPECT_NEAR(clock.at(now + 9500ms), 0.5, 1e-9);
}

TEST(PlaybackClock, StepsAreThoseOfTheClipNotOfTheViewer)
{
    const PreviewTime now{std::chrono::hours(1)};
    PlaybackClock clock;
    clock.set_duration(2.0);
    clock.seek(0.37, now);
    EXPECT_EQ(clock.at_step(now, 0.25), 0.37) << "at rest";
    clock.set_playing(true, now);
    EXPECT_EQ(clock.at_step(now, 0.25), 0.25);
    EXPECT_NEAR(std::chrono::duration<double>(clock.next_step(now, 0.25) - now).count(), 0.13, 1e-6);
    EXPECT_EQ(clock.at_step(now + 131ms, 0.25), 0.5);
    EXPECT_EQ(clock.at_step(now + 1700ms, 0.25), 0.0) << "2.07 repeats as 0.07";
    clock.set_speed(-2.0, now);
    EXPECT_EQ(clock.at_step(now, 0.25), 0.25);
    EXPECT_NEAR(std::chrono::duration<double>(clock.next_step(now, 0.25) - now).count(), 0.06, 1e-6);
    EXPECT_EQ(clock.at_step(now + 61ms, 0.25), 0.0);
    clock.set_speed(1.0, now);
    clock.set_loop(LoopMode::once, now);
    EXPECT_EQ(clock.at_step(now + 5000ms, 0.3), 2.0) << "the end is exact";
}

} // namespace vitrine::server
