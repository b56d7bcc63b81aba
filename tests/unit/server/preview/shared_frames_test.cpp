// Frames that viewers of one view share: who draws, what is kept, and how their sessions agree on times.

#include <cmath>

#include <gmock/gmock.h>

#include "server/preview/shared_frames.hpp"
#include "tests/unit/server/preview/viewer.hpp"

namespace vitrine::server {
namespace {

using namespace std::chrono_literals;

SharedFramePtr frame_of(std::size_t bytes)
{
    return std::make_shared<SharedFrame>(DrawnFrame{},
                                         std::make_shared<const std::vector<std::byte>>(bytes, std::byte{7}));
}

SharedFrames::Ready into(std::vector<SharedFramePtr>& frames)
{
    return [&frames](const SharedFramePtr& frame) { frames.push_back(frame); };
}

bool is_multiple(double time, double step)
{
    return std::abs(time / step - std::round(time / step)) < 1e-9;
}

class SharedFramesTest : public testing::Test {
protected:
    prometheus::Registry registry;
    SharedFrames frames{10'000, registry};
    std::vector<SharedFramePtr> taken;
};

} // namespace

TEST_F(SharedFramesTest, OneDrawsAndTheOthersWait)
{
    const auto first = frames.claim("a", into(taken));
    ASSERT_TRUE(first.ticket);
    for (int i = 0; i < 2; ++i) {
        const auto other = frames.claim("a", into(taken));
        EXPECT_FALSE(other.ticket);
        EXPECT_FALSE(other.frame);
    }
    EXPECT_TRUE(frames.claim("b", into(taken)).ticket) << "another frame";
    taken.clear();
    const auto drawn = frame_of(10);
    first.ticket->finish(drawn);
    EXPECT_THAT(taken, testing::ElementsAre(drawn, drawn));
    EXPECT_EQ(frames.claim("a", into(taken)).frame, drawn) << "kept";
    EXPECT_EQ(taken.size(), 2u);
}

TEST_F(SharedFramesTest, FrameThatIsNotDrawnIsDrawnByAnother)
{
    auto first = frames.claim("a", into(taken));
    std::ignore = frames.claim("a", into(taken));
    first.ticket.reset(); // the viewer left, or drawing failed
    EXPECT_THAT(taken, testing::ElementsAre(nullptr));
    EXPECT_TRUE(frames.claim("a", into(taken)).ticket);
}

TEST_F(SharedFramesTest, LeastRecentlyUsedAreDroppedBeyondTheLimit)
{
    const auto draw = [&](const std::string& key) {
        const auto claim = frames.claim(key, into(taken));
        if (claim.ticket) claim.ticket->finish(frame_of(3'000));
        return claim.ticket != nullptr;
    };
    for (const char* key : {"a", "b"})
        EXPECT_TRUE(draw(key));
    EXPECT_FALSE(draw("a"));
    EXPECT_TRUE(draw("c"));
    EXPECT_TRUE(draw("d")) << "three of these fit with what is stored beside them, four do not";
    EXPECT_FALSE(draw("a"));
    EXPECT_TRUE(draw("b"));
    const auto huge = frames.claim("huge", into(taken));
    huge.ticket->finish(frame_of(20'000));
    EXPECT_TRUE(frames.claim("huge", into(taken)).ticket) << "one frame does not replace all others";
    EXPECT_FALSE(draw("b"));
}

TEST_F(SharedFramesTest, OnlySeveralViewersOfOneViewShare)
{
    SharedFrames::Viewer first(frames, "front"), second(frames, "side");
    EXPECT_FALSE(first.pace(512.0 * 512.0, false));
    second = {frames, "front"};
    ASSERT_TRUE(first.pace(512.0 * 512.0, false));
    EXPECT_EQ(first.pace(512.0 * 512.0, false)->scale, 1.0);
    RenderTask task{.moving = true};
    first.record(task, {.width = 512, .height = 512, .render_us = 150'000}, task.started);
    const auto slow = second.pace(512.0 * 512.0, false);
    ASSERT_TRUE(slow);
    EXPECT_LT(slow->scale, 0.6) << "what one draws tells all of them the cost";
    EXPECT_DOUBLE_EQ(slow->time_step, 1.0 / 30.0);
    second = {};
    EXPECT_FALSE(first.pace(512.0 * 512.0, false));
}

TEST_F(SharedFramesTest, FastFramesAreDrawnSixtyTimesASecond)
{
    SharedFrames::Viewer first(frames, "front"), second(frames, "front");
    RenderTask task{.moving = true};
    first.record(task, {.width = 512, .height = 512, .render_us = 2'000, .encode_us = 1'000}, task.started);
    EXPECT_DOUBLE_EQ(first.pace(1.0, false)->time_step, 1.0 / 60.0);
}

TEST(SharedPaceTest, SessionsThatStartedApartDrawTheSameTimes)
{
    constexpr double step = 1.0 / 30.0;
    Viewer viewer;
    viewer.session.share(SharedPace{.time_step = step, .scale = 0.5, .lod = false});
    viewer.say(R"({"type":"decoder","codec":"vp8"})");
    viewer.say(R"({"type":"view","input":1,"width":100,"height":80,"clip":0,"playing":true})");
    double last = -1.0;
    for (int i = 0; i < 40; ++i) {
        viewer.wait(7ms);
        const auto task = viewer.draw();
        if (!task) {
            EXPECT_GT(viewer.session.next_wake(viewer.now), viewer.now) << "it does not ask all the time";
            continue;
        }
        EXPECT_TRUE(is_multiple(task->clip_time.time, step)) << task->clip_time.time;
        EXPECT_GT(task->clip_time.time, last) << "each pose once";
        last = task->clip_time.time;
        EXPECT_EQ(task->view.width, 50u);
        EXPECT_EQ(task->codec, FrameCodec::jpeg) << "a video frame depends on those before";
        EXPECT_TRUE(task->shared);
        viewer.show(*task);
    }
    EXPECT_GE(last, 7 * step) << "280 ms have passed";
    viewer.say(R"({"type":"view","input":2,"playing":false,"time":0.512})");
    viewer.wait(200ms);
    const auto still = viewer.draw();
    ASSERT_TRUE(still);
    EXPECT_EQ(still->clip_time.time, 0.512) << "a view at rest is exact";
    EXPECT_EQ(still->view.width, 100u);
}

} // namespace vitrine::server
