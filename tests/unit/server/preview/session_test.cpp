// Preview sessions: messages with times, and the resulting frames and responses.

#include <fmt/format.h>

#include "tests/unit/server/preview/viewer.hpp"

namespace vitrine::server {

using namespace std::chrono_literals;
namespace json = boost::json;

TEST(PreviewSession, PicksInTheAcknowledgedFrame)
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

TEST(PreviewSession, PicksOneAtATimeAndTheNewestNext)
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

TEST(PreviewSession, SendsHelloAndWaits)
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
    EXPECT_EQ(hello.at("camera").at("frontYaw").to_number<double>(), -90.0);
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

TEST(PreviewSession, SendsTheFramingWhenItChanges)
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

TEST(PreviewSession, OneViewGivesOneFrame)
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

TEST(PreviewSession, UnchangedViewCausesNoFrame)
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

// As REST addresses them (loaders/scene/lookup.hpp).
TEST(PreviewSession, TakesClipsByIdIndexOrName)
{
    for (const auto& [clip, index] :
         std::vector<std::pair<std::string, std::uint32_t>>{{"1", 1},
                                                            {"\"c1\"", 1},
                                                            {"\"0\"", 0},
                                                            {"\"idle\"", 1},
                                                            {"\"none\"", scene::none},
                                                            {"null", scene::none}}) {
        Viewer viewer;
        viewer.say(R"({"type":"view","clip":)" + clip + "}");
        EXPECT_EQ(viewer.draw().value().clip_time.clip, index) << clip;
    }
}

TEST(PreviewSession, TakesVariantsByNameOrIndex)
{
    for (const char* variant : {"night", "1"}) {
        Viewer viewer;
        viewer.say(fmt::format(R"({{"type":"view","variant":"{}"}})", variant));
        EXPECT_EQ(viewer.session.next_scene(), std::optional(SceneChoice{.variant = 1})) << variant;
    }
}

TEST(PreviewSession, EachVisibleMemberCausesAFrame)
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

TEST(PreviewSession, ChangedQualityCausesAFrame)
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

TEST(PreviewSession, RejectsInvalidMessagesAndKeepsTheState)
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
                              {R"({"type":"view","clip":"c2"})", "bad_value"},
                              {R"({"type":"view","variant":"dusk"})", "bad_value"},
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

TEST(PreviewSession, TooManyMessagesCloseTheSession)
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

TEST(PreviewSession, FailedRenderIsReportedOrRetried)
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

} // namespace vitrine::server
