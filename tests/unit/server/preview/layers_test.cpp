// Preview sessions: layers, adjusted joints, and fading from one clip to another.

#include "tests/unit/server/preview/viewer.hpp"

namespace vitrine::server {

using namespace std::chrono_literals;

// A session whose layers are one per text; the text "unknown" is rejected.
class LayersViewer : public Viewer {
public:
    LayersViewer()
    {
        session.set_make_layers(
            [](std::uint32_t clip,
               const scene::AnimationTexts& texts) -> std::expected<MadeLayers, std::string> {
                scene::AnimationLayers layers;
                if (clip != scene::none) layers.layers.push_back({.clip = clip});
                for (const auto& text : texts.layers) {
                    if (text == "unknown") return std::unexpected("layer: there is no clip 'unknown'");
                    layers.layers.push_back({.clip = 0});
                    layers.key += text;
                }
                for (const auto& text : texts.turns) {
                    layers.adjustments.push_back({.node = 1});
                    layers.key += text;
                }
                return MadeLayers{std::make_shared<const scene::AnimationLayers>(std::move(layers)), 2.0};
            });
    }
    RenderTask next()
    {
        auto task = draw();
        EXPECT_TRUE(task);
        if (task) show(*task);
        return task.value_or(RenderTask{});
    }
};

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
    ASSERT_EQ(layers.size(), 2u);
    EXPECT_EQ(layers[0].clip, 0u);
    EXPECT_NEAR(layers[0].time.value(), 0.32, 1e-6);
    EXPECT_EQ(layers[1].clip, 1u);
    EXPECT_FLOAT_EQ(layers[1].weight, 0.0f);
    EXPECT_FALSE(first.full_quality);
    viewer.wait(200ms);
    const auto half = viewer.next();
    EXPECT_NEAR(half.clip_time.layers->layers[0].time.value(), 0.52, 1e-6) << "the former clip goes on";
    EXPECT_FLOAT_EQ(half.clip_time.layers->layers[1].weight, 0.5f);
    EXPECT_NE(half.clip_time.layers->key, first.clip_time.layers->key);
    viewer.wait(200ms);
    const auto last = viewer.next();
    EXPECT_FALSE(last.clip_time.layers);
    EXPECT_EQ(last.clip_time.clip, 1u);
    viewer.wait(200ms);
    EXPECT_FALSE(viewer.draw()) << "the clip has no duration";
}

TEST(PreviewSession, FadesToTheStaticPose)
{
    LayersViewer viewer;
    viewer.say(R"({"type":"view","clip":"walk"})");
    viewer.next();
    viewer.say(R"({"type":"view","clip":null,"fade":1})");
    viewer.wait(500ms);
    const auto half = viewer.next();
    ASSERT_EQ(half.clip_time.layers->layers.size(), 1u);
    EXPECT_FLOAT_EQ(half.clip_time.layers->layers[0].weight, 0.5f);
    viewer.wait(20ms);
    viewer.say(R"({"type":"view","clip":"walk"})");
    EXPECT_FALSE(viewer.next().clip_time.layers) << "a change without fade is at once";
}

} // namespace vitrine::server
