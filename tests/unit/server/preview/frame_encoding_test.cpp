// Preview sessions: size and codec of frames.

#include <cmath>
#include <cstring>

#include "tests/unit/server/preview/viewer.hpp"

namespace vitrine::server {

using namespace std::chrono_literals;

TEST(PreviewSession, MovingIsCheaperAndRestIsFull)
{
    Viewer viewer;
    viewer.say(R"({"type":"view","width":1000,"height":1000})");
    viewer.finish(*viewer.draw(), 100'000); // 0.1 s per frame: too slow for dragging
    viewer.say(R"({"type":"ack","sequence":1})");
    viewer.wait(20ms);
    viewer.say(R"({"type":"view","camera":{"yaw":1},"moving":true})");
    auto task = viewer.draw();
    ASSERT_TRUE(task);
    EXPECT_LT(task->view.width, 600u);
    EXPECT_LE(task->quality, 60);
    EXPECT_FALSE(task->full_quality);
    viewer.finish(*task, 25'000);
    viewer.say(R"({"type":"ack","sequence":2})");
    EXPECT_FALSE(viewer.draw());
    viewer.wait(20ms);
    viewer.say(R"({"type":"view","moving":false})");
    task = viewer.draw();
    ASSERT_TRUE(task);
    EXPECT_EQ(task->view.width, 1000u);
    EXPECT_TRUE(task->full_quality);
}

TEST(PreviewSession, MotionIsVideoIfTheViewerHasADecoder)
{
    for (auto [list, codec] : {std::pair{R"(["vp8","vp9"])", FrameCodec::vp8},
                               {R"(["av1","vp9","vp8"])", FrameCodec::vp9},
                               {R"(["jpeg","vp8"])", FrameCodec::jpeg},
                               {R"(["av1"])", FrameCodec::jpeg},
                               {"[]", FrameCodec::jpeg}}) {
        Viewer viewer;
        viewer.say(std::string(R"({"type":"decoder","codecs":)") + list + "}");
        viewer.say(R"({"type":"view","moving":true})");
        auto task = viewer.draw();
        ASSERT_TRUE(task);
        EXPECT_EQ(task->codec, codec) << list;
        EXPECT_EQ(task->key_frame, is_video(codec)) << list;
        EXPECT_FALSE(task->full_quality);
        EXPECT_TRUE(task->moving);
        viewer.show(*task);
        viewer.wait(20ms);
        viewer.say(R"({"type":"view","camera":{"yaw":5}})");
        task = viewer.draw();
        EXPECT_EQ(task->codec, codec) << list;
        EXPECT_FALSE(task->key_frame) << list;
        viewer.show(*task);
        EXPECT_FALSE(viewer.draw());
        viewer.wait(20ms);
        viewer.say(R"({"type":"view","moving":false})");
        task = viewer.draw(); // immediately, and once
        ASSERT_TRUE(task) << list;
        EXPECT_EQ(task->codec, FrameCodec::jpeg) << list;
        EXPECT_TRUE(task->full_quality) << list;
        EXPECT_FALSE(task->moving) << list;
        viewer.show(*task);
        viewer.wait(1000ms);
        EXPECT_FALSE(viewer.draw());
    }
}

TEST(PreviewSession, PlaybackIsVideoAndPauseAStill)
{
    Viewer viewer;
    viewer.say(R"({"type":"decoder","codecs":["vp9"]})");
    viewer.say(R"({"type":"view","clip":0,"playing":true})");
    auto task = viewer.draw();
    EXPECT_EQ(task->codec, FrameCodec::vp9);
    EXPECT_FALSE(task->full_quality); // otherwise pausing would cause no frame
    viewer.show(*task);
    viewer.say(R"({"type":"view","playing":false})"); // the playhead is there already
    viewer.wait(20ms);
    task = viewer.draw();
    ASSERT_TRUE(task);
    EXPECT_EQ(task->codec, FrameCodec::jpeg);
    EXPECT_TRUE(task->full_quality);
    viewer.show(*task);
    viewer.say(R"({"type":"view","playing":true,"background":"transparent"})");
    viewer.wait(20ms);
    EXPECT_EQ(viewer.draw()->codec, FrameCodec::png); // video has no alpha
}

TEST(PreviewSession, NewDecoderGetsAKeyFrame)
{
    Viewer viewer;
    viewer.say(R"({"type":"decoder","codecs":["vp8"]})");
    viewer.say(R"({"type":"view","clip":0,"playing":true})");
    auto next = [&] {
        viewer.wait(20ms);
        return viewer.draw();
    };
    auto task = next();
    EXPECT_TRUE(task->key_frame);
    viewer.session.failed(*task, "",
                          viewer.now + 100ms); // an unencoded frame cannot be the first of the video
    viewer.wait(100ms);
    task = next();
    EXPECT_TRUE(task->key_frame);
    viewer.show(*task);
    task = next();
    EXPECT_FALSE(task->key_frame);
    viewer.show(*task);
    viewer.say(R"({"type":"decoder","codecs":["vp8"]})");
    task = next();
    EXPECT_TRUE(task->key_frame);
    viewer.show(*task);
    viewer.say(R"({"type":"decoder","codecs":[]})"); // the decoder has failed
    task = next();
    EXPECT_EQ(task->codec, FrameCodec::jpeg);
    EXPECT_FALSE(task->key_frame);
}

TEST(PreviewSession, HeaderDescribesTheEncodedFrame)
{
    Viewer viewer;
    viewer.say(R"({"type":"decoder","codecs":["vp9"]})");
    viewer.say(R"({"type":"view","moving":true})");
    auto task = viewer.draw();
    viewer.session.rendered(*task);
    auto header = viewer.session.encoded(
        *task, {.width = 512, .height = 512, .bounds = {}, .key_frame = false}, viewer.now);
    EXPECT_EQ(static_cast<int>(header[8]), 3); // VP9
    EXPECT_EQ(static_cast<int>(header[9]), 0); // neither a key frame nor full quality
}

TEST(PreviewSession, EncoderIsKeptForAWhile)
{
    Viewer viewer;
    EXPECT_FALSE(viewer.session.keeps_encoder());
    viewer.say(R"({"type":"decoder","codecs":["vp8"]})");
    viewer.say(R"({"type":"view","moving":true})");
    viewer.show(*viewer.draw());
    viewer.wait(150ms);
    viewer.show(*viewer.draw()); // at rest
    EXPECT_FALSE(viewer.draw());
    EXPECT_TRUE(viewer.session.keeps_encoder());
    while (auto wake = viewer.session.next_wake(viewer.now)) { // terminates: an idle viewer needs no wake-up
        viewer.now = *wake;
        EXPECT_FALSE(viewer.draw());
    }
    EXPECT_FALSE(viewer.session.keeps_encoder());
}

TEST(PreviewSession, MovingFrameKeepsItsSizeWithinTheBudget)
{
    Viewer viewer;
    viewer.say(R"({"type":"view","width":1000,"height":1000})");
    viewer.finish(*viewer.draw(), 100'000);
    viewer.say(R"({"type":"ack","sequence":1})");
    viewer.say(R"({"type":"view","moving":true})");
    std::vector<std::uint32_t> widths;
    for (int i = 0; i < 40; ++i) {
        viewer.wait(20ms);
        viewer.say(R"({"type":"view","camera":{"yaw":)" + std::to_string(i + 1) + "}}");
        auto task = viewer.draw();
        ASSERT_TRUE(task);
        if (widths.empty() || widths.back() != task->view.width) widths.push_back(task->view.width);
        const double pixels = static_cast<double>(task->view.width) * task->view.height;
        viewer.finish(*task, static_cast<std::uint32_t>(pixels * (i % 2 ? 0.09 : 0.11))); // varying time
        viewer.say(R"({"type":"ack","sequence":)" + std::to_string(i + 2) + "}");
    }
    EXPECT_LE(widths.size(), 2u);
    EXPECT_NEAR(widths.back(), 498, 90);
}

TEST(PreviewSession, TinyFrameDoesNotEstimateALargeOne)
{
    Viewer viewer;
    viewer.say(R"({"type":"view","width":1,"height":1})");
    viewer.show(*viewer.draw()); // 1 ms for one pixel
    viewer.wait(20ms);
    viewer.say(R"({"type":"view","width":500,"height":500,"moving":true})");
    EXPECT_EQ(viewer.draw()->view.width, 500u);
}

TEST(PreviewSession, StillDoesNotEstimateMotion)
{
    Viewer viewer;
    viewer.say(R"({"type":"view","width":500,"height":500})");
    viewer.finish(*viewer.draw());
    viewer.say(R"({"type":"ack","sequence":1})");
    for (int i = 1; i < 20; i += 2) {
        viewer.wait(20ms);
        viewer.say(R"({"type":"view","moving":true,"camera":{"yaw":)" + std::to_string(i) + "}}");
        auto task = viewer.draw();
        ASSERT_TRUE(task);
        EXPECT_EQ(task->view.width, 500u) << i;
        viewer.finish(*task, 10'000);
        viewer.say(R"({"type":"ack","sequence":)" + std::to_string(i + 1) + "}");
        viewer.wait(20ms);
        viewer.say(R"({"type":"view","moving":false})");
        task = viewer.draw();
        ASSERT_TRUE(task);
        viewer.finish(*task, 200'000); // with all triangles
        viewer.say(R"({"type":"ack","sequence":)" + std::to_string(i + 2) + "}");
    }
}

// Renders the next frame of an orbiting viewer in `render_us`.
RenderTask turn(Viewer& viewer, std::uint32_t render_us)
{
    viewer.wait(60ms);
    const auto yaw = std::to_string(++viewer.shown);
    viewer.say(R"({"type":"view","moving":true,"camera":{"yaw":)" + yaw + "}}");
    const auto task = viewer.draw().value();
    viewer.finish(task, render_us);
    viewer.say(R"({"type":"ack","sequence":)" + yaw + "}");
    return task;
}

RenderTask rest(Viewer& viewer, std::uint32_t render_us)
{
    viewer.wait(60ms);
    viewer.say(R"({"type":"view","moving":false})");
    const auto task = viewer.draw().value();
    viewer.finish(task, render_us);
    viewer.say(R"({"type":"ack","sequence":)" + std::to_string(++viewer.shown) + "}");
    return task;
}

TEST(PreviewSession, LateFramesUseTheLod)
{
    Viewer viewer;
    for (const std::uint32_t took : {90'000u, 10'000u, 20'000u, 20'000u, 15'000u, 20'000u, 20'000u, 20'000u})
        EXPECT_FALSE(turn(viewer, took).lod) << "never three late ones in a row";
    EXPECT_TRUE(turn(viewer, 5'000).lod);
    EXPECT_TRUE(turn(viewer, 5'000).lod) << "the LOD does not estimate all triangles";
    EXPECT_FALSE(rest(viewer, 15'000).lod);
    EXPECT_TRUE(turn(viewer, 5'000).lod) << "the still was too near the beat";
    EXPECT_FALSE(rest(viewer, 8'000).lod);
    EXPECT_FALSE(turn(viewer, 12'000).lod) << "the machine is free again";
}

TEST(PreviewSession, LodIsResetForAnotherSizeOrRate)
{
    for (const auto* other :
         {R"({"type":"view","width":100,"height":100})", R"({"type":"quality","maxFramesPerSecond":30})"}) {
        Viewer viewer;
        for (int i = 0; i < 3; ++i)
            turn(viewer, 25'000);
        EXPECT_TRUE(turn(viewer, 5'000).lod);
        viewer.say(other);
        EXPECT_FALSE(turn(viewer, 25'000).lod) << other;
    }
}

TEST(PreviewSession, LargeViewsAreScaledDown)
{
    Viewer viewer({.max_side = 1024});
    viewer.say(R"({"type":"view","width":2000,"height":1000,"devicePixelRatio":3})");
    auto task = viewer.draw();
    EXPECT_EQ(task->view.width, 1024u);
    EXPECT_EQ(task->view.height, 512u);
}

TEST(PreviewSession, TransparentIsPng)
{
    Viewer viewer;
    viewer.say(R"({"type":"view","background":"transparent"})");
    EXPECT_EQ(viewer.draw()->codec, FrameCodec::png);
}

} // namespace vitrine::server
