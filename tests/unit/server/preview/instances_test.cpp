// Preview sessions: crowds and ghosts.

#include "tests/unit/server/preview/viewer.hpp"

namespace vitrine::server {

using namespace std::chrono_literals;

TEST(PreviewSession, ShowsACrowdAndGhostsUntilTheyAreRemoved)
{
    Viewer viewer;
    viewer.say(R"({"type":"view","clip":"walk","crowd":25,"ghosts":"2,1@0.2"})");
    auto task = viewer.draw();
    ASSERT_TRUE(task);
    EXPECT_EQ(task->view.crowd, 25u);
    EXPECT_EQ(task->view.ghosts, (render::Ghosts{.before = 2, .after = 1, .step = 0.2}));
    viewer.show(*task);
    viewer.wait(20ms);
    viewer.say(R"({"type":"view","crowd":25,"ghosts":"2,1@0.2"})");
    EXPECT_FALSE(viewer.draw()) << "nothing has changed";
    viewer.say(R"({"type":"view","crowd":1,"ghosts":null})");
    task = viewer.draw();
    ASSERT_TRUE(task);
    EXPECT_EQ(task->view.crowd, 1u);
    EXPECT_EQ(task->view.ghosts.count(), 0u);
}

TEST(PreviewSession, RejectsInvalidCrowdsAndGhosts)
{
    for (const auto* member : {R"("crowd":0)", R"("crowd":10001)", R"("crowd":1.5)", R"("crowd":"9")",
                               R"("crowd":null)", R"("ghosts":"17")", R"("ghosts":3)", R"("ghosts":"2@0")"}) {
        Viewer viewer;
        viewer.session.take_texts();
        viewer.say(std::string(R"({"type":"view",)") + member + "}");
        EXPECT_FALSE(viewer.draw()) << member;
        const auto texts = viewer.session.take_texts();
        ASSERT_EQ(texts.size(), 1u) << member;
        EXPECT_TRUE(texts[0].contains("bad_value")) << texts[0];
    }
}

// Layers keep the framing of the clip; another number of models needs another framing.
TEST(PreviewSession, FramesAnotherCrowdAnew)
{
    Viewer viewer;
    viewer.session.set_make_layers([](const api::PreviewMotion&, const scene::AnimationTexts&) {
        return std::expected<MadeLayers, std::string>(MadeLayers{
            std::make_shared<const scene::AnimationLayers>(scene::AnimationLayers{.key = "turned"}), 2.0});
    });
    viewer.say(R"({"type":"view","clip":"walk"})");
    viewer.show(viewer.draw().value());
    viewer.wait(20ms);
    viewer.say(R"({"type":"view","turn":["head:0,30,0"]})");
    auto task = viewer.draw().value();
    EXPECT_TRUE(task.view.framing);
    viewer.say(R"({"type":"view","crowd":9})"); // while a frame of one model is in flight
    viewer.show(task);
    viewer.wait(20ms);
    task = viewer.draw().value();
    EXPECT_EQ(task.view.crowd, 9u);
    EXPECT_FALSE(task.view.framing);
}

} // namespace vitrine::server
