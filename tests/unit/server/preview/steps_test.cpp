// Preview sessions: steps from key to key, and layers that cannot be made.

#include "tests/unit/server/preview/viewer.hpp"

namespace vitrine::server {

using namespace std::chrono_literals;

TEST(PreviewSession, StepsToKeysAndSaysBetweenWhichTheTimeIs)
{
    Viewer viewer;
    const auto say = [&](std::string_view text) {
        (void)viewer.session.take_texts();
        viewer.say(text);
        return viewer.session.take_texts();
    };
    EXPECT_TRUE(say(R"({"type":"step"})").front().contains("cannot_step")) << "nobody finds keys";
    std::vector<std::pair<double, int>> asked;
    viewer.session.set_step_time([&](const scene::PoseLayer& layer, double time, const StepRequest& request) {
        EXPECT_EQ(layer.clip, 0u);
        asked.emplace_back(time, request.steps);
        scene::KeyPlace place{.time = 0.5, .span = {1, 2, 0.25, 0.75, 0.5}, .previous = 0.25, .next = 0.75};
        place.interpolation = scene::Interpolation::linear;
        return SteppedTime{0.5, place};
    });
    EXPECT_TRUE(say(R"({"type":"step"})").front().contains("cannot_step")) << "the static pose";
    viewer.say(R"({"type":"view","clip":"walk","playing":true,"time":0.25})");
    const auto texts = say(R"({"type":"step","steps":-2,"by":"frame"})");
    ASSERT_EQ(texts.size(), 2u);
    EXPECT_EQ(texts[0], R"({"type":"state","clip":0,"time":0.5,"playing":false})");
    EXPECT_EQ(
        texts[1],
        R"({"type":"stepped","clip":0,"time":0.5,"at":{"time":0.5,"from":{"key":1,"time":0.25},)"
        R"("to":{"key":2,"time":0.75},"blend":0.5,"previous":0.25,"next":0.75,"interpolation":"linear"}})");
    ASSERT_EQ(asked.size(), 1u);
    EXPECT_EQ(asked[0].second, -2);
    EXPECT_NEAR(asked[0].first, 0.25, 1e-6);
    const auto task = viewer.draw();
    ASSERT_TRUE(task);
    EXPECT_EQ(task->clip_time.time, 0.5);
    for (const auto* wrong : {R"({"type":"step","steps":0.5})", R"({"type":"step","steps":1e9})",
                              R"({"type":"step","by":"second"})", R"({"type":"step","steps":"one"})"})
        EXPECT_TRUE(say(wrong).front().contains("bad_value")) << wrong;
    EXPECT_EQ(asked.size(), 1u);
}

TEST(PreviewSession, StepsThroughTheLayerThatPlays)
{
    LayersViewer viewer;
    std::vector<scene::PoseLayer> asked;
    viewer.session.set_step_time([&](const scene::PoseLayer& layer, double time, const StepRequest&) {
        asked.push_back(layer);
        return SteppedTime{time + 0.25};
    });
    viewer.say(R"({"type":"view","turn":["head:0,30,0"]})");
    viewer.say(R"({"type":"step"})");
    EXPECT_EQ(viewer.problem(), "cannot_step") << "nothing plays";
    viewer.say(R"({"type":"view","clip":"frames:0-9"})");
    viewer.say(R"({"type":"step"})");
    EXPECT_EQ(viewer.session.take_texts().back(),
              R"({"type":"stepped","clip":"frames:0-9","time":0.25,"at":null})");
    ASSERT_EQ(asked.size(), 1u);
    EXPECT_EQ(asked[0].clip, 0u) << "the clip of the layer";
}

// A message that is wrong leaves the motion as it was.
TEST(PreviewSession, AClipThatDoesNotExistLeavesTheFormerMotion)
{
    LayersViewer viewer;
    viewer.say(R"({"type":"view","clip":"walk","layers":["idle*0.5"],"turn":["head:0,30,0"]})");
    const auto former = viewer.next().clip_time.layers->key;
    viewer.missing = {"as_1:nope"};
    viewer.say(R"({"type":"view","layers":["as_1:nope"]})");
    EXPECT_TRUE(viewer.session.next_scene());
    viewer.types();
    viewer.session.scene_failed("This asset has no such clip.", viewer.now);
    EXPECT_EQ(viewer.types(), (std::vector<std::string>{"problem"})) << "said once";
    EXPECT_FALSE(viewer.session.next_scene());
    viewer.wait(20ms);
    EXPECT_EQ(viewer.next().clip_time.layers->key, former);
    viewer.say(R"({"type":"view","layers":["as_1:nope"]})");
    EXPECT_TRUE(viewer.session.next_scene());
    viewer.say(R"({"type":"view","turn":["head:0,60,0"]})"); // right, and later
    viewer.session.scene_failed("This asset has no such clip.", viewer.now);
    viewer.wait(20ms);
    EXPECT_EQ(viewer.next().clip_time.layers->key, "idle*0.5head:0,60,0");
}

TEST(PreviewSession, AWrongLayerBesideAClipOfAnotherAssetLeavesTheFormerMotion)
{
    LayersViewer viewer;
    viewer.say(R"({"type":"view","layers":["as_1:run"]})");
    EXPECT_TRUE(viewer.session.next_scene());
    viewer.session.scene_loaded(viewer.now);
    EXPECT_EQ(viewer.next().clip_time.layers->key, "as_1:run");
    viewer.say(R"({"type":"view","layers":["as_2:run","unknown"]})");
    EXPECT_EQ(viewer.session.next_scene(), std::optional(SceneChoice{.clips = {"as_2:run"}}));
    viewer.missing = {"as_1:run"};
    viewer.types();
    viewer.session.scene_loaded(viewer.now);
    EXPECT_EQ(viewer.problem(), "bad_value");
    EXPECT_EQ(viewer.session.next_scene(), std::optional(SceneChoice{.clips = {"as_1:run"}}))
        << "the clips of the former layers are loaded again";
    viewer.missing.clear();
    viewer.session.scene_loaded(viewer.now);
    viewer.wait(20ms);
    EXPECT_EQ(viewer.next().clip_time.layers->key, "as_1:run");
    EXPECT_FALSE(viewer.session.next_scene());
}

} // namespace vitrine::server
