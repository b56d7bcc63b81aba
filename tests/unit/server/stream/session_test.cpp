// Preview sessions: messages with times, and the resulting frames and responses.

#include <algorithm>

#include <fmt/format.h>

#include "tests/unit/server/stream/viewer.hpp"

namespace vitrine::server {

using namespace std::chrono_literals;
namespace json = boost::json;

TEST(StreamSession, PicksInTheAcknowledgedFrame)
{
    Viewer viewer;
    viewer.say(R"({"type":"view","width":200,"height":100,"clip":0,"time":0.5,"camera":{"yaw":10}})");
    viewer.say(R"({"type":"pick","x":0.5,"y":0.5})");
    EXPECT_EQ(viewer.problem(), "cannot_pick");
    viewer.show(viewer.draw().value());
    viewer.say(R"({"type":"view","time":1.5,"camera":{"yaw":70}})");
    viewer.wait(100ms);
    viewer.finish(viewer.draw().value()); // in flight, not acknowledged
    viewer.say(R"({"type":"pick","id":3,"x":0.25,"y":1})");
    const auto task = viewer.session.next_pick();
    ASSERT_TRUE(task);
    EXPECT_EQ(task->id, 3u);
    EXPECT_EQ(task->x, 50u);
    EXPECT_EQ(task->y, 99u) << "the last row";
    EXPECT_EQ(task->view.camera.yaw, 10.0f);
    EXPECT_EQ(task->clip_time.time, 0.5);
}

TEST(StreamSession, PicksOneAtATimeAndTheNewestNext)
{
    Viewer viewer;
    viewer.say(R"({"type":"view","width":200,"height":100})");
    viewer.show(viewer.draw().value());
    (void)viewer.session.take_texts();
    for (const auto* id : {"1", "2", "3"}) {
        viewer.say(std::string(R"({"type":"pick","x":0,"y":0,"id":)") + id + "}");
        EXPECT_EQ(viewer.session.next_pick().has_value(), id[0] == '1');
    }
    viewer.session.picked({.id = 1, .view = {}, .clip_time = {}}, {}, std::nullopt);
    EXPECT_EQ(viewer.session.take_texts(),
              std::vector<std::string>{R"({"hit":null,"type":"picked","id":1})"});
    EXPECT_EQ(viewer.session.next_pick()->id, 3u) << "the second has been replaced";
    viewer.session.pick_failed("no");
    EXPECT_EQ(viewer.problem(), "cannot_pick");
    viewer.say(R"({"type":"pick","x":2,"y":0})");
    EXPECT_EQ(viewer.problem(), "bad_value");
    EXPECT_FALSE(viewer.session.next_pick());
}

TEST(StreamSession, SendsHelloAndWaits)
{
    Viewer viewer;
    auto texts = viewer.session.take_texts();
    ASSERT_EQ(texts.size(), 1u);
    auto hello = json::parse(texts[0]);
    for (auto member :
         {"type", "protocol", "asset", "device", "codecs", "limits", "clips", "variants", "bounds"}) {
        EXPECT_TRUE(hello.as_object().contains(member)) << member;
    }
    EXPECT_EQ(hello.at("camera").at("yaw").to_number<double>(), 120.0);
    EXPECT_EQ(hello.at("camera").at("pitch").to_number<double>(), 15.0);
    EXPECT_FALSE(viewer.draw());
    EXPECT_FALSE(viewer.session.next_wake(viewer.now));
}

// A framing message before a frame: the view, the clip's index or "null", and the extents of the model and of
// `fit`.
struct FramingMessage {
    const char* view;
    float model, fit;
    std::string message;
};

TEST(StreamSession, SendsTheFramingWhenItChanges)
{
    Viewer viewer;
    const auto box = [](float most) { return scene::Aabb{glm::vec3(-1.0f), glm::vec3(1.0f, most, 1.0f)}; };
    const auto text = [](const char* clip, int model, int fit) {
        return fmt::format(R"({{"type":"framing","clip":{},"bounds":{{"min":[-1,-1,-1],"max":[1,{},1]}},)"
                           R"("fit":{{"min":[-1,-1,-1],"max":[1,{},1]}}}})",
                           clip, model, fit);
    };
    for (const auto& [view, model, fit, message] : std::vector<FramingMessage>{
             {R"({"type":"view"})", 1.0f, 1.0f, text("null", 1, 1)},
             {R"({"type":"view","overlays":["skeleton"]})", 1.0f, 3.0f, text("null", 1, 3)},
             {R"({"type":"view","camera":{"yaw":20}})", 1.0f, 3.0f, ""},
             {R"({"type":"view","overlays":["bounds"]})", 1.0f, 1.0f, text("null", 1, 1)},
             {R"({"type":"view","overlays":[]})", 1.0f, 1.0f, ""},
             {R"({"type":"view","clip":1})", 1.0f, 1.0f, text("1", 1, 1)},
             {R"({"type":"view","clip":0,"time":0.5})", 2.0f, 2.0f, text("0", 2, 2)},
             {R"({"type":"view","time":1.5})", 2.0f, 2.0f, ""}}) {
        viewer.wait(100ms);
        viewer.say(view);
        viewer.finish(viewer.draw().value(), 1000, {box(model), box(fit)});
        viewer.say(fmt::format(R"({{"type":"ack","sequence":{}}})", ++viewer.shown));
        EXPECT_EQ(viewer.session.take_framing().value_or(""), message) << view;
        EXPECT_FALSE(viewer.session.take_framing()) << "once";
    }
}

TEST(StreamSession, OneViewGivesOneFrame)
{
    Viewer viewer;
    viewer.say(R"({"type":"view","input":7,"width":320,"height":200,"devicePixelRatio":2})");
    auto task = viewer.draw();
    ASSERT_TRUE(task);
    EXPECT_EQ(task->view.width, 640u);
    EXPECT_EQ(task->view.height, 400u);
    EXPECT_EQ(task->input, 7u);
    EXPECT_TRUE(task->full_quality);
    auto header = viewer.finish(*task);
    ASSERT_EQ(header.size(), 64u);
    EXPECT_EQ(std::memcmp(header.data(), "VTRF\1\0\100\0", 8), 0);
    EXPECT_EQ(static_cast<int>(header[9]), 3); // key frame, full quality
    viewer.say(R"({"type":"ack","sequence":1})");
    viewer.wait(2000ms);
    EXPECT_FALSE(viewer.draw());
    EXPECT_EQ(viewer.types(), (Types{"hello", "stats"}));
    EXPECT_FALSE(viewer.session.next_wake(viewer.now)); // an idle viewer needs no wake-up
}

TEST(StreamSession, UnchangedViewCausesNoFrame)
{
    Viewer viewer;
    viewer.say(R"({"type":"view","input":1})"); // the first one causes a frame
    viewer.finish(*viewer.draw());
    viewer.say(R"({"type":"ack","sequence":1})");
    for (auto text :
         {R"({"type":"view","input":2})", R"({"type":"view"})", R"({"type":"view","color":"red"})",
          R"({"type":"view","camera":{"yaw":0,"pitch":0,"distance":null,"target":null}})",
          R"({"type":"view","width":512,"height":512,"devicePixelRatio":1})",
          R"({"type":"view","clip":null,"time":0,"playing":false,"speed":2,"loop":"once"})",
          R"({"type":"view","overlays":[],"background":null,"light":"studio"})",
          R"({"type":"view","moving":true})", R"({"type":"view","moving":false})",
          R"({"type":"view","clip":0})", R"({"type":"quality","maxFramesPerSecond":30})"}) {
        viewer.wait(100ms);
        viewer.say(text);
        auto task = viewer.draw();
        EXPECT_EQ(task.has_value(), std::string_view(text).find("\"clip\":0") != std::string_view::npos)
            << text;
        if (!task) continue;
        EXPECT_EQ(task->input, 2u);
        viewer.finish(*task);
        viewer.say(R"({"type":"ack","sequence":2})");
    }
}

TEST(StreamSession, EachVisibleMemberCausesAFrame)
{
    Viewer viewer;
    viewer.say(R"({"type":"view","clip":0})");
    std::uint32_t sequence = 1;
    viewer.finish(*viewer.draw());
    for (auto members : {R"("camera":{"yaw":5})", R"("camera":{"pitch":5})", R"("camera":{"distance":3})",
                         R"("camera":{"distance":null})", R"("camera":{"target":[0,1,0]})",
                         R"("camera":{"orthographic":true})", R"("clip":1)", R"("clip":0)", R"("time":0.5)",
                         R"("width":300)", R"("height":300)", R"("devicePixelRatio":2)",
                         R"("overlays":["skeleton"])", R"("overlays":["bounds"])",
                         R"("background":"#ff0000")", R"("background":null)", R"("light":"reference")"}) {
        viewer.say(R"({"type":"ack","sequence":)" + std::to_string(sequence++) + "}");
        viewer.wait(100ms);
        viewer.say(std::string(R"({"type":"view",)") + members + "}");
        auto task = viewer.draw();
        ASSERT_TRUE(task) << members;
        viewer.finish(*task);
    }
}

TEST(StreamSession, ChangedQualityCausesAFrame)
{
    Viewer viewer;
    const auto draws = [&] {
        bool drawn = false;
        for (viewer.wait(1s); auto task = viewer.draw(); viewer.wait(1s)) {
            viewer.show(*task);
            drawn = true;
        }
        return drawn;
    };
    viewer.say(R"({"type":"view","width":300,"height":200})");
    EXPECT_TRUE(draws());
    viewer.say(R"({"type":"quality","jpegQuality":40})");
    EXPECT_TRUE(draws());
    viewer.say(R"({"type":"quality","jpegQuality":40})");
    EXPECT_FALSE(draws()) << "nothing changed";
}

TEST(StreamSession, TwoCreditsThenNewestView)
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
TEST(StreamSession, QueuedFramesCannotBeAcknowledged)
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

TEST(StreamSession, RendersWhileEncoding)
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
TEST(StreamSession, LateFrameDoesNotDelayTheNext)
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

TEST(StreamSession, ServerPauseIsNotCompensated)
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

TEST(StreamSession, PlaysAtTheClipsSpeedAndStopsAtTheEnd)
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

TEST(StreamSession, SilentMovingViewerIsAtRest)
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

TEST(StreamSession, RejectsInvalidMessagesAndKeepsTheState)
{
    Viewer viewer;
    viewer.say(R"({"type":"view","camera":{"yaw":10,"distance":3}})");
    viewer.types();
    for (auto [text, code] : {std::pair{"{", "bad_message"},
                              {"[]", "bad_message"},
                              {"{}", "unknown_type"},
                              {R"({"type":"dance"})", "unknown_type"},
                              {R"({"type":"view","camera":{"yaw":1e999}})", "bad_value"},
                              {R"({"type":"view","camera":{"yaw":"x"}})", "bad_value"},
                              {R"({"type":"view","camera":{"distance":-1}})", "bad_value"},
                              {R"({"type":"view","camera":{"target":[1,2]}})", "bad_value"},
                              {R"({"type":"view","clip":2})", "bad_value"},
                              {R"({"type":"view","clip":0.5})", "bad_value"},
                              {R"({"type":"view","width":0})", "bad_value"},
                              {R"({"type":"view","height":1e9})", "bad_value"},
                              {R"({"type":"view","background":"red"})", "bad_value"},
                              {R"({"type":"view","overlays":["x-ray"]})", "bad_value"},
                              {R"({"type":"view","loop":"never"})", "bad_value"},
                              {R"({"type":"view","camera":{"orthographic":1}})", "bad_value"},
                              {R"({"type":"ack"})", "bad_value"},
                              {R"({"type":"decoder"})", "bad_value"},
                              {R"({"type":"decoder","codecs":"vp8"})", "bad_value"},
                              {R"({"type":"decoder","codecs":["vp8",9]})", "bad_value"},
                              {R"({"type":"quality","jpegQuality":0})", "bad_value"},
                              {R"({"type":"view","color":1})", "unknown_member"}}) {
        viewer.say(text);
        EXPECT_EQ(viewer.problem(), code) << text;
    }
    auto task = viewer.draw();
    ASSERT_TRUE(task);
    EXPECT_EQ(task->view.camera.yaw, 10.0f);
    EXPECT_EQ(task->view.camera.distance, 3.0f);
    std::string deep = R"({"type":"view","camera":)" + std::string(100, '[') + std::string(100, ']') + "}";
    viewer.say(deep);
    EXPECT_EQ(viewer.problem(), "bad_message");
}

TEST(StreamSession, TooManyMessagesCloseTheSession)
{
    Viewer viewer;
    bool open = true;
    int sent = 0;
    while (open && sent < 10'000) {
        open = viewer.session.receive("{", viewer.now);
        ++sent;
    }
    EXPECT_LE(sent, 502);
    EXPECT_LE(viewer.session.take_texts().size(), 64u); // unread texts are dropped
}

TEST(StreamSession, FailedRenderIsReportedOrRetried)
{
    Viewer viewer;
    viewer.say(R"({"type":"view"})");
    auto task = viewer.draw();
    viewer.session.failed(*task, "", viewer.now + 100ms); // the queue was full
    EXPECT_FALSE(viewer.draw());
    viewer.wait(100ms);
    task = viewer.draw();
    ASSERT_TRUE(task);
    viewer.types();
    viewer.session.failed(*task, "nothing to draw", std::nullopt);
    EXPECT_EQ(viewer.problem(), "cannot_draw");
    viewer.wait(1000ms);
    EXPECT_FALSE(viewer.draw());
    EXPECT_EQ(viewer.session.frames_in_flight(), 0u);
}

// A material variant by index, as returned by next_variant().
using Variant = std::optional<std::optional<std::uint32_t>>;
const Variant file_materials = std::optional<std::uint32_t>();

TEST(StreamSession, RendersAVariantOnlyAfterItsLoad)
{
    Viewer viewer;
    viewer.say(R"({"type":"view","variant":"night"})");
    EXPECT_FALSE(viewer.draw()) << "the first frame shows it too";
    EXPECT_EQ(viewer.session.next_variant(), Variant(1));
    EXPECT_FALSE(viewer.session.next_variant()) << "one is loaded at a time";
    EXPECT_FALSE(viewer.draw());
    viewer.session.variant_loaded();
    viewer.show(viewer.draw().value());
    EXPECT_FALSE(viewer.session.next_variant());
    viewer.say(R"({"type":"view","variant":"night"})");
    EXPECT_FALSE(viewer.session.next_variant());
    viewer.wait(20ms);
    EXPECT_FALSE(viewer.draw()) << "nothing changed";
    viewer.say(R"({"type":"view","variant":null})");
    EXPECT_EQ(viewer.session.next_variant(), file_materials);
    viewer.session.variant_loaded();
    EXPECT_TRUE(viewer.draw());
}

TEST(StreamSession, LoadsTheNewestSelectedVariant)
{
    Viewer viewer;
    viewer.say(R"({"type":"view","variant":"night"})");
    EXPECT_EQ(viewer.session.next_variant(), Variant(1));
    viewer.say(R"({"type":"view","variant":null})");
    viewer.say(R"({"type":"view","variant":"day"})");
    viewer.session.variant_loaded();
    EXPECT_FALSE(viewer.draw()) << "it is no longer selected";
    EXPECT_EQ(viewer.session.next_variant(), Variant(0));
    viewer.session.variant_loaded();
    EXPECT_TRUE(viewer.draw());
}

TEST(StreamSession, KeepsThePreviousVariantAfterAFailure)
{
    Viewer viewer;
    viewer.say(R"({"type":"view","variant":"day"})");
    EXPECT_EQ(viewer.session.next_variant(), Variant(0));
    viewer.session.variant_loaded();
    viewer.show(viewer.draw().value());
    viewer.say(R"({"type":"view","variant":"night","camera":{"yaw":3}})");
    EXPECT_EQ(viewer.session.next_variant(), Variant(1));
    viewer.types();
    viewer.session.variant_failed("no memory");
    EXPECT_EQ(viewer.problem(), "cannot_draw");
    EXPECT_FALSE(viewer.session.next_variant()) << "not again and again";
    viewer.wait(20ms);
    EXPECT_TRUE(viewer.draw()) << "the camera has moved all the same";
    viewer.say(R"({"type":"view","variant":"night"})");
    EXPECT_EQ(viewer.session.next_variant(), Variant(1)) << "asked for again";
}

TEST(StreamSession, AsksForNoTimerWhileAVariantIsLoaded)
{
    Viewer viewer;
    viewer.say(R"({"type":"view","clip":0,"playing":true})");
    viewer.show(viewer.draw().value());
    viewer.wait(20ms);
    viewer.types();
    viewer.say(R"({"type":"view","variant":"day"})");
    EXPECT_TRUE(viewer.session.next_variant());
    viewer.wait(2000ms);
    viewer.draw(); // produces the stats message
    const auto wake = viewer.session.next_wake(viewer.now);
    EXPECT_TRUE(!wake || *wake > viewer.now) << "a timer that is due at once would spin";
}

TEST(StreamSession, UnknownVariantIsRejected)
{
    for (const char* variant : {R"("dusk")", "0", R"(["day"])", R"("")"}) {
        Viewer viewer;
        viewer.types();
        viewer.say(std::string(R"({"type":"view","variant":)") + variant + "}");
        EXPECT_EQ(viewer.problem(), "bad_value") << variant;
        EXPECT_FALSE(viewer.session.next_variant());
    }
}

} // namespace vitrine::server
