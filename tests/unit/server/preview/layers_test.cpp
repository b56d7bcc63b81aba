// Preview sessions: layers, adjusted joints, and fading from one clip to another.

#include "tests/unit/server/preview/viewer.hpp"

namespace vitrine::server {

using namespace std::chrono_literals;

TEST(PreviewSession, ShowsLayersUntilTheyAreRemoved)
{
    LayersViewer viewer;
    viewer.say(R"({"type":"view","clip":"walk"})");
    EXPECT_FALSE(viewer.next().clip_time.layers);
    viewer.wait(20ms);
    viewer.say(R"({"type":"view","layers":["idle*0.5"],"turn":["head:0,30,0"]})");
    const auto layered = viewer.next();
    ASSERT_TRUE(layered.clip_time.layers);
    EXPECT_EQ(layered.clip_time.layers->layers.size(), 2u);
    EXPECT_EQ(layered.clip_time.layers->adjustments.size(), 1u);
    EXPECT_TRUE(layered.view.framing) << "the camera stays";
    viewer.say(R"({"type":"view","turn":["head:0,30,0"]})");
    viewer.wait(20ms);
    EXPECT_FALSE(viewer.draw()) << "nothing has changed";
    viewer.say(R"({"type":"view","layers":[]})");
    EXPECT_EQ(viewer.next().clip_time.layers->key, "head:0,30,0");
    viewer.wait(20ms);
    viewer.say(R"({"type":"view","turn":[]})");
    const auto plain = viewer.next();
    EXPECT_FALSE(plain.clip_time.layers);
    EXPECT_FALSE(plain.view.framing);
}

TEST(PreviewSession, PlaysARangeOfFramesInPlaceOfAClip)
{
    LayersViewer viewer;
    viewer.say(R"({"type":"view","clip":"frames:0-9"})");
    const auto first = viewer.next();
    EXPECT_EQ(first.clip_time.clip, scene::none);
    EXPECT_EQ(first.clip_time.layers->key, "frames:0-9");
    viewer.wait(20ms);
    viewer.say(R"({"type":"view","layers":["idle"]})");
    EXPECT_EQ(viewer.next().clip_time.layers->key, "frames:0-9idle") << "the layers are over it";
    viewer.wait(20ms);
    viewer.say(R"({"type":"view","clip":"frames:all"})");
    EXPECT_EQ(viewer.next().clip_time.layers->key, "frames:allidle");
    viewer.wait(20ms);
    viewer.say(R"({"type":"view","variant":"night"})");
    EXPECT_TRUE(viewer.session.next_scene());
    viewer.session.scene_loaded(viewer.now);
    EXPECT_EQ(viewer.next().clip_time.layers->key, "frames:allidle") << "of the other scene";
    viewer.wait(20ms);
    viewer.say(R"({"type":"view","clip":"frames:0-10","layers":[]})");
    EXPECT_FALSE(viewer.draw()) << "a range that the file does not have";
    viewer.say(R"({"type":"view","clip":0,"layers":[]})");
    const auto last = viewer.next();
    EXPECT_EQ(last.clip_time.clip, 0u);
    EXPECT_FALSE(last.clip_time.layers);
    viewer.wait(20ms);
    viewer.say(R"({"type":"view","layers":["frames:0-9@0.1*0.5"]})");
    EXPECT_EQ(viewer.next().clip_time.layers->key, "frames:0-9@0.1*0.5") << "no clip of another asset";
}

TEST(PreviewSession, LayersWithoutAClipPlay)
{
    LayersViewer viewer;
    viewer.say(R"({"type":"view","layers":["walk"],"playing":true})");
    viewer.next();
    viewer.wait(500ms);
    EXPECT_NEAR(viewer.next().clip_time.time, 0.5, 1e-6);
}

TEST(PreviewSession, RejectsLayersAndKeepsTheFormerOnes)
{
    LayersViewer viewer;
    viewer.say(R"({"type":"view","layers":["walk"]})");
    viewer.next();
    viewer.types();
    viewer.say(R"({"type":"view","layers":["unknown"]})");
    EXPECT_EQ(viewer.problem(), "bad_value");
    EXPECT_EQ(viewer.session.layers()->key, "walk");
    for (const auto* layers : {R"("walk")", "[1]", "{}"}) {
        viewer.say(std::string(R"({"type":"view","layers":)") + layers + "}");
        EXPECT_EQ(viewer.problem(), "bad_value") << layers;
    }
    viewer.say(R"({"type":"view","fade":11})");
    EXPECT_EQ(viewer.problem(), "bad_value");
}

TEST(PreviewSession, ObjectsAreTheSameAsTexts)
{
    const api::PreviewInfo info{.clips = {{"walk", 1.0, 30.0}, {"a@b", 1.0, 30.0}}};
    const auto view = [&](const std::string& members) {
        auto parsed = parse_message(R"({"type":"view",)" + members + "}", info);
        EXPECT_TRUE(parsed) << members << parsed.error().detail;
        return std::get<ViewChange>(parsed.value().message);
    };
    using Texts = std::vector<std::string>;
    EXPECT_EQ(
        view(R"("layers":["walk*0.5",{"clip":"walk","time":0.25,"weight":0.5,"mask":["spine",3,"-arm"],
                      "mode":"add"},{"clip":1,"speed":-2},{"clip":"a@b"},{"clip":"run","mode":"add",
                      "reference":{"clip":"a@b","time":0.5}},{"clip":0,"mode":"add","reference":"idle"}])")
            .layers,
        (Texts{"walk*0.5", "c0@0.25*0.5~spine~3~-arm!add", "c1@x-2", "c1", "run!add=c1@0.5", "c0!add=idle"}));
    const auto joints = view(R"("joints":[{"joint":"a:b","turn":[1,2,-3.5]},
                                {"joint":7,"move":[0,1e-7,0],"scale":[1,1,2]}])");
    EXPECT_EQ(joints.turns, (Texts{"a:b:1,2,-3.5"}));
    EXPECT_EQ(joints.moves, (Texts{"7:0,1e-07,0"}));
    EXPECT_EQ(joints.scales, (Texts{"7:1,1,2"}));
    EXPECT_EQ(view(R"("joints":[])").turns, Texts());
    EXPECT_EQ(view(R"("reach":["hand:1,2,3",{"joint":"hand","target":[1,2,3],"pole":[0,0,9]}])").reaches,
              (Texts{"hand:1,2,3", "hand:1,2,3~0,0,9"}));
    EXPECT_EQ(view(R"("attach":["x@hand",{"asset":"y","joint":"hand"},
                      {"asset":"y","joint":4,"offset":[1,2,3]},{"asset":"y","joint":4,"degrees":[0,90,0]}])")
                  .attachments,
              (Texts{"x@hand", "y@hand", "y@4:1,2,3", "y@4:0,0,0,0,90,0"}));
}

TEST(PreviewSession, SaysWhatIsWrongInObjects)
{
    LayersViewer viewer;
    for (const auto* members :
         {R"("layers":[{"time":1}])", R"("layers":[{"clip":true}])", R"("layers":[{"clip":-1}])",
          R"("layers":[{"clip":"x*y"}])", R"("layers":[{"clip":0,"mask":"spine"}])",
          R"("layers":[{"clip":0,"mask":["a~b"]}])", R"("layers":[{"clip":0,"mode":"sub"}])",
          R"("layers":[{"clip":0,"weight":"1"}])", R"("layers":[{"clip":0,"wieght":1}])",
          R"("joints":[{"turn":[0,0,0]}])", R"("joints":[{"joint":"a","turn":[0,0]}])",
          R"("joints":["a:1,2,3"],"turn":[])", R"("reach":[{"joint":"a"}])", R"("attach":["hand"])",
          R"("attach":[{"asset":"a","joint":"b","offset":[1,2,1e300]}])", R"("skinning":"cubic")",
          R"("turn":[{"joint":"a"}])"}) {
        viewer.say(std::string(R"({"type":"view",)") + members + "}");
        EXPECT_EQ(viewer.problem(), "bad_value") << members;
    }
}

TEST(PreviewSession, AttachmentsAndSkinningSelectAnotherScene)
{
    LayersViewer viewer;
    viewer.say(R"({"type":"view","clip":"walk","turn":["head:0,30,0"]})");
    viewer.next();
    viewer.wait(20ms);
    viewer.say(
        R"({"type":"view","attach":["sword@hand"],"skinning":"dual_quaternion","turn":["grip:0,30,0"]})");
    const SceneChoice choice{.skinning = scene::SkinningMethod::dual_quaternion,
                             .attachments = {"sword@hand"}};
    EXPECT_EQ(viewer.session.next_scene(), std::optional(choice));
    EXPECT_FALSE(viewer.draw()) << "the scene is being loaded";
    viewer.session.scene_loaded(viewer.now);
    EXPECT_EQ(viewer.next().clip_time.layers->key, "grip:0,30,0") << "made for the new scene";
    viewer.wait(20ms);
    viewer.say(R"({"type":"view","attach":["other@hand"]})");
    EXPECT_TRUE(viewer.session.next_scene());
    viewer.types();
    viewer.session.scene_failed("There is no asset other to attach.", viewer.now);
    EXPECT_EQ(viewer.problem(), "cannot_draw");
    EXPECT_EQ(viewer.session.scene_choice(), choice);
    EXPECT_EQ(viewer.session.layers()->key, "grip:0,30,0");
    viewer.say(R"({"type":"view","attach":[],"skinning":null})");
    EXPECT_EQ(viewer.session.next_scene(), std::optional(SceneChoice{}));
}

TEST(PreviewSession, ClipsOfOtherAssetsAreLoaded)
{
    LayersViewer viewer;
    viewer.say(R"({"type":"view","clip":"walk"})");
    viewer.next();
    viewer.wait(20ms);
    viewer.say(R"({"type":"view","layers":["as_1:run*0.5","walk@0.5","as_1:run~head","as_2:c0"]})");
    const SceneChoice choice{.clips = {"as_1:run", "as_2:c0"}};
    EXPECT_EQ(viewer.session.next_scene(), std::optional(choice));
    EXPECT_FALSE(viewer.draw()) << "the clips are being loaded";
    viewer.session.scene_loaded(viewer.now);
    EXPECT_NE(viewer.next().clip_time.layers->key.find("as_1:run"), std::string::npos);
    viewer.wait(20ms);
    viewer.say(R"({"type":"view","layers":["walk@0.5"]})");
    EXPECT_EQ(viewer.session.next_scene(), std::optional(SceneChoice{}));
    viewer.session.scene_loaded(viewer.now);
    EXPECT_TRUE(viewer.draw());
}

TEST(PreviewSession, FadesFromOneClipToAnother)
{
    LayersViewer viewer;
    viewer.say(R"({"type":"view","clip":"walk","playing":true,"camera":{"yaw":1}})");
    viewer.next();
    viewer.wait(300ms);
    viewer.next();
    viewer.wait(20ms);
    viewer.say(R"({"type":"view","clip":"idle","fade":0.4})");
    const auto first = viewer.next();
    ASSERT_TRUE(first.clip_time.layers);
    const auto& layers = first.clip_time.layers->layers;
    ASSERT_EQ(layers.size(), 3u);
    EXPECT_EQ(layers[0].clip, 1u);
    EXPECT_TRUE(layers[1].bound_clip) << "what the former clip does not set";
    EXPECT_FLOAT_EQ(layers[1].weight, 1.0f);
    EXPECT_EQ(layers[2].clip, 0u);
    EXPECT_NEAR(layers[2].time.value(), 0.32, 1e-6);
    EXPECT_FLOAT_EQ(layers[2].weight, 1.0f);
    EXPECT_FALSE(first.full_quality);
    viewer.wait(200ms);
    const auto half = viewer.next();
    EXPECT_NEAR(half.clip_time.layers->layers[2].time.value(), 0.52, 1e-6) << "the former clip goes on";
    EXPECT_FLOAT_EQ(half.clip_time.layers->layers[2].weight, 0.5f);
    EXPECT_NE(half.clip_time.layers->key, first.clip_time.layers->key);
    viewer.wait(200ms);
    const auto last = viewer.next();
    EXPECT_FALSE(last.clip_time.layers);
    EXPECT_EQ(last.clip_time.clip, 1u);
    viewer.wait(200ms);
    EXPECT_FALSE(viewer.draw()) << "the clip has no duration";
}

TEST(PreviewSession, FadesAlongTheCurveOfTheMessage)
{
    // The weight of the former pose after a quarter of the fade.
    const auto weight_of = [](const std::string& curve) {
        LayersViewer viewer;
        viewer.say(R"({"type":"view","clip":"walk"})");
        viewer.next();
        viewer.wait(20ms);
        viewer.say(R"({"type":"view","clip":null,"fade":0.4)" + curve + "}");
        viewer.next();
        viewer.wait(100ms);
        return viewer.next().clip_time.layers->layers.back().weight;
    };
    EXPECT_FLOAT_EQ(weight_of(R"(,"fadeCurve":"linear")"), 0.75f);
    EXPECT_FLOAT_EQ(weight_of(R"(,"fadeCurve":"smooth")"), 0.84375f);
    EXPECT_FLOAT_EQ(weight_of(""), 0.84375f);
}

TEST(PreviewSession, RejectsAnUnknownCurveOfAFade)
{
    for (const auto* curve : {R"("cubic")", "1", "null"}) {
        LayersViewer viewer;
        viewer.say(R"({"type":"view","clip":"walk"})");
        viewer.next();
        viewer.types();
        viewer.say(R"({"type":"view","clip":"idle","fade":0.4,"fadeCurve":)" + std::string(curve) + "}");
        const auto texts = viewer.session.take_texts();
        ASSERT_EQ(texts.size(), 1u);
        EXPECT_TRUE(texts[0].contains("bad_value") && texts[0].contains("fadeCurve must be")) << texts[0];
        EXPECT_EQ(viewer.session.clip(), 0u);
    }
}

TEST(PreviewSession, FadesToTheStaticPose)
{
    LayersViewer viewer;
    viewer.say(R"({"type":"view","clip":"walk"})");
    viewer.next();
    viewer.say(R"({"type":"view","clip":null,"fade":1})");
    viewer.wait(20ms);
    viewer.next();
    viewer.wait(500ms);
    const auto half = viewer.next();
    ASSERT_EQ(half.clip_time.layers->layers.size(), 2u);
    EXPECT_FLOAT_EQ(half.clip_time.layers->layers[1].weight, 0.5f);
    viewer.wait(20ms);
    viewer.say(R"({"type":"view","clip":"walk"})");
    EXPECT_FALSE(viewer.next().clip_time.layers) << "a change without fade is at once";
}

TEST(PreviewSession, FadesBeginAtThePoseThatIsShown)
{
    LayersViewer viewer;
    viewer.say(R"({"type":"view","clip":"walk"})");
    viewer.next();
    viewer.wait(20ms);
    viewer.say(R"({"type":"view","clip":null,"layers":["as_1:run"],"fade":0.4})");
    EXPECT_TRUE(viewer.session.next_scene());
    viewer.wait(1000ms);
    EXPECT_FALSE(viewer.draw());
    viewer.session.scene_loaded(viewer.now);
    const auto first = viewer.next();
    ASSERT_EQ(viewer.held.size(), 1u);
    EXPECT_EQ(viewer.held[0].clip, 0u);
    EXPECT_FLOAT_EQ(first.clip_time.layers->layers.back().weight, 1.0f) << "it begins when the clip is there";
    viewer.wait(200ms);
    const auto half = viewer.next();
    viewer.say(R"({"type":"view","clip":"frames:0-9","layers":[],"fade":0.4})");
    EXPECT_TRUE(viewer.session.next_scene());
    viewer.session.scene_loaded(viewer.now);
    viewer.wait(20ms);
    viewer.next();
    ASSERT_EQ(viewer.held.size(), 2u);
    EXPECT_EQ(viewer.held[1].layers->key, half.clip_time.layers->key) << "the mixed pose";
    viewer.wait(500ms);
    EXPECT_EQ(viewer.next().clip_time.layers->key, "frames:0-9");
    viewer.say(R"({"type":"view","clip":"walk","fade":0.4})");
    viewer.wait(20ms);
    viewer.next();
    ASSERT_EQ(viewer.held.size(), 3u);
    EXPECT_EQ(viewer.held[2].layers->key, "frames:0-9") << "not the static pose";
}

} // namespace vitrine::server
