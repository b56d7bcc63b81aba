// Preview sessions: a clip of another asset in place of one of the model's own.

#include "tests/unit/server/preview/viewer.hpp"

namespace vitrine::server {
namespace {

using namespace std::chrono_literals;

// Messages of the server since the last call, without `stats`.
std::vector<boost::json::value> take_messages(Viewer& viewer)
{
    std::vector<boost::json::value> messages;
    for (const auto& text : viewer.session.take_texts())
        if (auto message = boost::json::parse(text); message.at("type") != "stats")
            messages.push_back(std::move(message));
    return messages;
}

// Loads the scene that the session wants, which must be one with these clips of other assets.
void load(LayersViewer& viewer, const std::vector<std::string>& clips)
{
    EXPECT_EQ(viewer.session.next_scene(), std::optional(SceneChoice{.clips = clips}));
    viewer.session.scene_loaded(viewer.now);
}

} // namespace

TEST(PreviewSession, PlaysAClipOfAnotherAsset)
{
    LayersViewer viewer;
    viewer.say(R"({"type":"view","clip":"walk","time":1,"turn":["head:0,30,0"]})");
    viewer.next();
    viewer.wait(20ms);
    viewer.say(R"({"type":"view","clip":"as_2:run*fast","playing":true})");
    EXPECT_EQ(viewer.session.next_scene(), std::optional(SceneChoice{.clips = {"as_2:run*fast"}}));
    viewer.wait(700ms);
    EXPECT_FALSE(viewer.draw()) << "it is being loaded";
    viewer.session.scene_loaded(viewer.now);
    const auto first = viewer.next();
    EXPECT_EQ(first.clip_time.clip, scene::none);
    EXPECT_EQ(first.clip_time.layers->key, "as_2:run*fasthead:0,30,0") << "the joints stay turned";
    EXPECT_EQ(first.clip_time.time, 0.0) << "it plays from when it is shown";
    viewer.wait(500ms);
    EXPECT_NEAR(viewer.next().clip_time.time, 0.5, 1e-6);
    viewer.wait(1800ms);
    EXPECT_NEAR(viewer.next().clip_time.time, 0.3, 1e-6) << "it repeats after its 2 seconds";
    take_messages(viewer);
    viewer.say(R"({"type":"view","loop":"once"})");
    viewer.wait(1800ms);
    viewer.next();
    const auto messages = take_messages(viewer);
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_EQ(messages[0].at("type"), "state");
    EXPECT_EQ(messages[0].at("clip"), "as_2:run*fast");
    EXPECT_EQ(messages[0].at("time").to_number<double>(), 2.0);
    EXPECT_EQ(messages[0].at("playing"), false);
    viewer.wait(20ms);
    viewer.say(R"({"type":"view","clip":"idle"})");
    load(viewer, {});
    const auto last = viewer.next();
    EXPECT_EQ(last.clip_time.clip, 1u);
    EXPECT_EQ(last.clip_time.layers->key, "head:0,30,0");
}

TEST(PreviewSession, LoadsTheClipsOfBaseAndLayersTogether)
{
    LayersViewer viewer;
    viewer.say(R"({"type":"view","clip":"as_2:run","layers":["as_3:nod*0.5!add","as_2:run*0.5"]})");
    load(viewer, {"as_2:run", "as_3:nod"});
    EXPECT_EQ(viewer.next().clip_time.layers->key, "as_2:runas_3:nod*0.5!addas_2:run*0.5");
    viewer.wait(20ms);
    viewer.say(R"({"type":"view","layers":[]})");
    load(viewer, {"as_2:run"});
    EXPECT_EQ(viewer.next().clip_time.layers->key, "as_2:run");
    viewer.wait(20ms);
    viewer.say(R"({"type":"view","clip":null})");
    load(viewer, {});
    EXPECT_FALSE(viewer.next().clip_time.layers);
}

TEST(PreviewSession, TheFormerClipStaysIfTheOtherIsMissing)
{
    LayersViewer viewer;
    viewer.say(R"({"type":"view","clip":"walk","layers":["idle*0.5"],"playing":true})");
    viewer.next();
    viewer.wait(300ms);
    viewer.missing = {"as_2:nope"};
    viewer.say(R"({"type":"view","clip":"as_2:nope","layers":[],"fade":0.5,"playing":false})");
    EXPECT_TRUE(viewer.session.next_scene());
    viewer.say(R"({"type":"view","speed":2})"); // later, of whatever plays
    viewer.wait(200ms);
    take_messages(viewer);
    viewer.session.scene_failed("The asset as_2 has no clip nope.", viewer.now);
    const auto messages = take_messages(viewer);
    ASSERT_EQ(messages.size(), 2u);
    EXPECT_EQ(messages[0].at("code"), "cannot_draw");
    EXPECT_EQ(messages[0].at("detail"), "The asset as_2 has no clip nope.");
    EXPECT_EQ(messages[1].at("clip"), 0) << "what plays again";
    EXPECT_EQ(messages[1].at("playing"), true);
    const auto task = viewer.next();
    EXPECT_EQ(task.clip_time.clip, 0u);
    EXPECT_EQ(task.clip_time.layers->key, "idle*0.5");
    EXPECT_NEAR(task.clip_time.time, 0.3 + 2 * 0.2, 1e-6) << "it has gone on";
    EXPECT_TRUE(viewer.held.empty()) << "nothing to fade to";
    EXPECT_FALSE(viewer.session.next_scene());
}

TEST(PreviewSession, AClipThatDoesNotFitLeavesTheOneOfAnotherAsset)
{
    LayersViewer viewer;
    viewer.say(R"({"type":"view","clip":"as_2:run"})");
    load(viewer, {"as_2:run"});
    viewer.next();
    viewer.wait(20ms);
    viewer.say(R"({"type":"view","clip":"as_3:swim","turn":["head:0,30,0"]})");
    EXPECT_TRUE(viewer.session.next_scene());
    viewer.missing = {"as_3:swim"};
    viewer.session.scene_failed("No joint of this asset has the name", viewer.now);
    EXPECT_EQ(viewer.problem(), "cannot_draw");
    EXPECT_EQ(viewer.next().clip_time.layers->key, "as_2:runhead:0,30,0");
    viewer.wait(20ms);
    viewer.say(R"({"type":"view","clip":"as_2:run","layers":["unknown"]})");
    EXPECT_EQ(viewer.problem(), "bad_value");
    EXPECT_FALSE(viewer.session.next_scene());
    viewer.say(R"({"type":"view","clip":"as_4:x","layers":["unknown"]})");
    EXPECT_TRUE(viewer.session.next_scene());
    viewer.session.scene_loaded(viewer.now);
    EXPECT_EQ(viewer.problem(), "bad_value");
    load(viewer, {"as_2:run"}); // once more
    viewer.say(R"({"type":"view","camera":{"yaw":5}})");
    EXPECT_EQ(viewer.next().clip_time.layers->key, "as_2:runhead:0,30,0");
}

TEST(PreviewSession, FadesIntoAClipOfAnotherAsset)
{
    LayersViewer viewer;
    viewer.say(R"({"type":"view","clip":"walk","time":0.5})");
    viewer.next();
    viewer.wait(20ms);
    viewer.say(R"({"type":"view","clip":"as_2:run","fade":0.4})");
    viewer.wait(1000ms);
    load(viewer, {"as_2:run"});
    const auto first = viewer.next();
    ASSERT_EQ(viewer.held.size(), 1u);
    EXPECT_EQ(viewer.held[0].clip, 0u);
    EXPECT_EQ(viewer.held[0].time, 0.5);
    EXPECT_FLOAT_EQ(first.clip_time.layers->layers.back().weight, 1.0f);
    viewer.wait(200ms);
    EXPECT_FLOAT_EQ(viewer.next().clip_time.layers->layers.back().weight, 0.5f);
    viewer.wait(200ms);
    EXPECT_EQ(viewer.next().clip_time.layers->key, "as_2:run");
}

TEST(PreviewSession, StepsThroughAClipOfAnotherAsset)
{
    LayersViewer viewer;
    viewer.session.set_step_time(
        [](const scene::PoseLayer&, double time, const StepRequest&) { return SteppedTime{time + 0.25}; });
    viewer.say(R"({"type":"view","clip":"as_2:run"})");
    viewer.say(R"({"type":"step"})");
    EXPECT_EQ(viewer.problem(), "cannot_step") << "it is not loaded yet";
    load(viewer, {"as_2:run"});
    viewer.say(R"({"type":"step"})");
    EXPECT_EQ(viewer.session.take_texts().back(),
              R"({"type":"stepped","clip":"as_2:run","time":0.25,"at":null})");
}

TEST(PreviewSession, ClipsWithColonsAreFirstThoseOfTheModel)
{
    const api::PreviewInfo info{.clips = {{"a:b", 1.0, 30.0}, {"c:d", 1.0, 30.0}, {"c:d", 1.0, 30.0}}};
    const auto clip_of = [&](const std::string& text) {
        const auto parsed = parse_message(R"({"type":"view","clip":")" + text + "\"}", info);
        return parsed ? std::get<ViewChange>(parsed->message).clip : std::nullopt;
    };
    EXPECT_EQ(clip_of("a:b"), api::PreviewMotion{.clip = 0});
    EXPECT_EQ(clip_of("c:d"), std::nullopt) << "two have this name";
    EXPECT_EQ(clip_of("as_2:d"), api::PreviewMotion{.text = "as_2:d"});
    EXPECT_EQ(clip_of("none"), api::PreviewMotion{});
    EXPECT_EQ(clip_of("run"), std::nullopt);
}

} // namespace vitrine::server
