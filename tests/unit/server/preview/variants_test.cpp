// Preview sessions: selection of a material variant.

#include "tests/unit/server/preview/viewer.hpp"

namespace vitrine::server {

using namespace std::chrono_literals;

// The material variant of the scene to load, by index; empty: no scene is to be loaded.
using Variant = std::optional<std::optional<std::uint32_t>>;
const Variant file_materials = std::optional<std::uint32_t>();

Variant next_variant(Viewer& viewer)
{
    const auto choice = viewer.session.next_scene();
    return choice ? Variant(std::in_place, choice->variant) : std::nullopt;
}

TEST(PreviewSession, RendersAVariantOnlyAfterItsLoad)
{
    Viewer viewer;
    viewer.say(R"({"type":"view","variant":"night"})");
    EXPECT_FALSE(viewer.draw()) << "the first frame shows it too";
    EXPECT_EQ(next_variant(viewer), Variant(1));
    EXPECT_FALSE(next_variant(viewer)) << "one is loaded at a time";
    EXPECT_FALSE(viewer.draw());
    viewer.session.scene_loaded(viewer.now);
    viewer.show(viewer.draw().value());
    EXPECT_FALSE(next_variant(viewer));
    viewer.say(R"({"type":"view","variant":"night"})");
    EXPECT_FALSE(next_variant(viewer));
    viewer.wait(20ms);
    EXPECT_FALSE(viewer.draw()) << "nothing changed";
    viewer.say(R"({"type":"view","variant":null})");
    EXPECT_EQ(next_variant(viewer), file_materials);
    viewer.session.scene_loaded(viewer.now);
    EXPECT_TRUE(viewer.draw());
}

TEST(PreviewSession, LoadsTheNewestSelectedVariant)
{
    Viewer viewer;
    viewer.say(R"({"type":"view","variant":"night"})");
    EXPECT_EQ(next_variant(viewer), Variant(1));
    viewer.say(R"({"type":"view","variant":null})");
    viewer.say(R"({"type":"view","variant":"day"})");
    viewer.session.scene_loaded(viewer.now);
    EXPECT_FALSE(viewer.draw()) << "it is no longer selected";
    EXPECT_EQ(next_variant(viewer), Variant(0));
    viewer.session.scene_loaded(viewer.now);
    EXPECT_TRUE(viewer.draw());
}

TEST(PreviewSession, KeepsThePreviousVariantAfterAFailure)
{
    Viewer viewer;
    viewer.say(R"({"type":"view","variant":"day"})");
    EXPECT_EQ(next_variant(viewer), Variant(0));
    viewer.session.scene_loaded(viewer.now);
    viewer.show(viewer.draw().value());
    viewer.say(R"({"type":"view","variant":"night","camera":{"yaw":3}})");
    EXPECT_EQ(next_variant(viewer), Variant(1));
    viewer.types();
    viewer.session.scene_failed("no memory", viewer.now);
    EXPECT_EQ(viewer.problem(), "cannot_draw");
    EXPECT_FALSE(next_variant(viewer)) << "not again and again";
    viewer.wait(20ms);
    EXPECT_TRUE(viewer.draw()) << "the camera has moved all the same";
    viewer.say(R"({"type":"view","variant":"night"})");
    EXPECT_EQ(next_variant(viewer), Variant(1)) << "asked for again";
}

TEST(PreviewSession, StartsNoTimerWhileAVariantIsLoaded)
{
    Viewer viewer;
    viewer.say(R"({"type":"view","clip":0,"playing":true})");
    viewer.show(viewer.draw().value());
    viewer.wait(20ms);
    viewer.types();
    viewer.say(R"({"type":"view","variant":"day"})");
    EXPECT_TRUE(next_variant(viewer));
    viewer.wait(2000ms);
    viewer.draw(); // produces the stats message
    const auto wake = viewer.session.next_wake(viewer.now);
    EXPECT_TRUE(!wake || *wake > viewer.now) << "a timer that is due at once would spin";
}

TEST(PreviewSession, UnknownVariantIsRejected)
{
    for (const char* variant : {R"("dusk")", "0", R"(["day"])", R"("")"}) {
        Viewer viewer;
        viewer.types();
        viewer.say(std::string(R"({"type":"view","variant":)") + variant + "}");
        EXPECT_EQ(viewer.problem(), "bad_value") << variant;
        EXPECT_FALSE(next_variant(viewer));
    }
}

TEST(PreviewSession, LoadsTheSceneOfALook)
{
    Viewer viewer;
    viewer.say(R"({"type":"view","skin":"night","lod":1,"hide":["arm",3],"only":"body","surface":"clay"})");
    EXPECT_FALSE(viewer.draw());
    auto choice = viewer.session.next_scene();
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->variant, 1u);
    EXPECT_EQ(choice->look,
              (scene::LookTexts{.lod = "1", .hide = "arm,3", .only = "body", .surface = "clay"}));
    viewer.session.scene_loaded(viewer.now);
    viewer.show(viewer.draw().value());
    viewer.say(R"({"type":"view","hide":null,"lod":"0"})");
    choice = viewer.session.next_scene();
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->look, (scene::LookTexts{.lod = "0", .only = "body", .surface = "clay"}));
}

TEST(PreviewSession, RejectsMalformedLooks)
{
    for (const char* member : {R"("lod":-1)", R"("lod":1.5)", R"("hide":[])", R"("hide":["a,b"])",
                               R"("only":[-1])", R"("only":{})", R"("surface":true)", R"("hide":[null])"}) {
        Viewer viewer;
        viewer.say(std::string(R"({"type":"view",)") + member + "}");
        EXPECT_EQ(viewer.problem(), "bad_value") << member;
        EXPECT_FALSE(viewer.session.next_scene()) << member;
    }
}

} // namespace vitrine::server
