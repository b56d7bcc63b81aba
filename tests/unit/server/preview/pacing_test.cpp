// Preview sessions: frames in flight, frame rate and playback.

#include <algorithm>

#include "tests/unit/server/preview/viewer.hpp"

namespace vitrine::server {

using namespace std::chrono_literals;

TEST(PreviewSession, TwoCreditsThenNewestView)
{
    Viewer viewer;
    for (int input = 1; input <= 2; ++input) {
        viewer.say(R"({"type":"view","camera":{"yaw":)" + std::to_string(input) +
                   "},\"input\":" + std::to_string(input) + "}");
        auto task = viewer.draw();
        ASSERT_TRUE(task);
        viewer.finish(*task);
        viewer.wait(20ms);
    }
    for (int input = 3; input <= 9; ++input) {
        viewer.say(R"({"type":"view","camera":{"yaw":)" + std::to_string(input) +
                   "},\"input\":" + std::to_string(input) + "}");
        EXPECT_FALSE(viewer.draw());
        viewer.wait(20ms);
    }
    EXPECT_EQ(viewer.session.frames_in_flight(), 2u);
    viewer.say(R"({"type":"ack","sequence":99})"); // an unknown sequence
    viewer.say(R"({"type":"ack","sequence":1})");
    auto task = viewer.draw();
    ASSERT_TRUE(task);
    EXPECT_EQ(task->input, 9u);
    EXPECT_EQ(task->view.camera.yaw, 9.0f);
    viewer.say(R"({"type":"ack","sequence":1})"); // a second acknowledgement has no effect
    viewer.finish(*task);
    EXPECT_EQ(viewer.session.frames_in_flight(), 2u);
}

// Otherwise a peer that acknowledges unsent frames would make unread frames accumulate.
TEST(PreviewSession, QueuedFramesCannotBeAcknowledged)
{
    Viewer viewer;
    for (const auto* yaw : {"1", "2"}) {
        viewer.say(std::string(R"({"type":"view","camera":{"yaw":)") + yaw + "}}");
        viewer.encode(viewer.draw().value());
        viewer.wait(20ms);
    }
    viewer.say(R"({"type":"view","camera":{"yaw":3}})");
    const auto credits_after_acks = [&] {
        for (const auto* sequence : {"1", "2", "3"})
            viewer.say(std::string(R"({"type":"ack","sequence":)") + sequence + "}");
        return 2 - viewer.session.frames_in_flight();
    };
    EXPECT_EQ(credits_after_acks(), 0u);
    EXPECT_FALSE(viewer.draw());
    viewer.session.sending();
    EXPECT_EQ(credits_after_acks(), 1u);
    viewer.session.sending();
    EXPECT_EQ(credits_after_acks(), 2u);
    EXPECT_TRUE(viewer.draw());
}

TEST(PreviewSession, RendersWhileEncoding)
{
    Viewer viewer;
    viewer.say(R"({"type":"view"})");
    auto first = viewer.draw();
    viewer.wait(20ms);
    viewer.say(R"({"type":"view","camera":{"yaw":5}})");
    EXPECT_FALSE(viewer.draw()); // one task at a time
    viewer.session.rendered(*first);
    auto second = viewer.draw();
    ASSERT_TRUE(second);
    viewer.wait(20ms);
    viewer.say(R"({"type":"view","camera":{"yaw":6}})");
    viewer.session.rendered(*second);
    EXPECT_FALSE(viewer.draw()); // both credits are in use
}

// Otherwise a server that is slightly late each time would lose that time each time: 55 frames per second,
// not 60.
TEST(PreviewSession, LateFrameDoesNotDelayTheNext)
{
    Viewer viewer;
    viewer.say(R"({"type":"view","clip":0,"playing":true,"loop":"repeat"})");
    const auto begun = viewer.now;
    for (int frame = 0; frame < 60; ++frame) {
        viewer.now = *viewer.session.next_wake(viewer.now) + 3ms;
        auto task = viewer.draw();
        ASSERT_TRUE(task) << frame;
        viewer.show(*task);
    }
    EXPECT_LT(viewer.now - begun, 1010ms);
    EXPECT_GT(viewer.now - begun, 980ms); // must not run ahead
}

TEST(PreviewSession, ServerPauseIsNotCompensated)
{
    Viewer viewer;
    viewer.say(R"({"type":"view","clip":0,"playing":true,"loop":"repeat"})");
    viewer.show(*viewer.draw());
    viewer.wait(500ms);
    viewer.show(*viewer.draw());
    viewer.wait(9ms); // at most half a frame
    auto task = viewer.draw();
    ASSERT_TRUE(task);
    viewer.show(*task);
    viewer.wait(9ms);
    EXPECT_FALSE(viewer.draw());
}

TEST(PreviewSession, PlaysAtTheClipsSpeedAndStopsAtTheEnd)
{
    Viewer viewer;
    viewer.say(R"({"type":"view","clip":0,"playing":true,"loop":"once","speed":2})");
    auto task = viewer.draw();
    ASSERT_TRUE(task);
    EXPECT_EQ(task->clip_time.clip, 0u);
    EXPECT_EQ(task->clip_time.time, 0.0);
    viewer.finish(*task);
    viewer.say(R"({"type":"ack","sequence":1})");
    EXPECT_FALSE(viewer.draw()); // at most 60 per second
    viewer.wait(250ms);
    task = viewer.draw();
    ASSERT_TRUE(task);
    EXPECT_NEAR(task->clip_time.time, 0.5, 1e-9);
    viewer.finish(*task);
    viewer.say(R"({"type":"ack","sequence":2})");
    viewer.wait(2000ms);
    viewer.types();
    task = viewer.draw();
    ASSERT_TRUE(task);
    EXPECT_EQ(task->clip_time.time, 2.0);
    EXPECT_TRUE(task->full_quality);
    auto types = viewer.types();
    EXPECT_NE(std::find(types.begin(), types.end(), "state"), types.end());
    viewer.finish(*task);
    viewer.say(R"({"type":"ack","sequence":3})");
    viewer.wait(1000ms);
    EXPECT_FALSE(viewer.draw());
}

TEST(PreviewSession, SilentMovingViewerIsAtRest)
{
    Viewer viewer;
    viewer.say(R"({"type":"view","moving":true})");
    viewer.finish(*viewer.draw());
    viewer.say(R"({"type":"ack","sequence":1})");
    auto wake = viewer.session.next_wake(viewer.now);
    ASSERT_TRUE(wake);
    EXPECT_LE(*wake - viewer.now, 200ms);
    viewer.wait(150ms);
    auto task = viewer.draw();
    ASSERT_TRUE(task);
    EXPECT_TRUE(task->full_quality);
}

} // namespace vitrine::server
