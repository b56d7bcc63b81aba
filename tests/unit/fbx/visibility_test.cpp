// Complete files, from text to scene: hidden models and animated visibility.

#include <gmock/gmock.h>

#include "loaders/fbx/nodes/visibility.hpp"
#include "tests/unit/fbx/text_file.hpp"

namespace vitrine {
namespace {

using namespace test::fbx;
using testing::ElementsAre;

TEST(FbxVisibility, HiddenNodesHideWhatIsBelow)
{
    const std::string hide = "P: \"Visibility\", \"Visibility\", \"\", \"A\",0\n";
    const std::string alone = "P: \"Visibility Inheritance\", \"Visibility Inheritance\", \"\", \"\",0\n";
    const scene::Scene scene = load(version_7(model(1, "a", hide) + model(2, "b") + model(3, "c", alone),
                                              "C: \"OO\",1,0\nC: \"OO\",2,1\nC: \"OO\",3,1\n"));
    EXPECT_FALSE(scene.nodes[find(scene, "a")].visible);
    EXPECT_FALSE(scene.nodes[find(scene, "b")].visible);
    EXPECT_TRUE(scene.nodes[find(scene, "c")].visible);
}

// Returns whether the levels "a", "b" and "c" of a group are shown.
std::vector<bool> shown_levels(const std::string& displays)
{
    const scene::Scene scene = load(version_7(
        model(1, "group") + model(2, "a") + model(3, "b") + model(4, "c") +
            "NodeAttribute: 5, \"NodeAttribute::\", \"LodGroup\" { Properties70: {\n" + displays + "} }\n",
        "C: \"OO\",1,0\nC: \"OO\",2,1\nC: \"OO\",3,1\nC: \"OO\",4,1\nC: \"OO\",5,1\n"));
    EXPECT_THAT(codes(scene), ElementsAre("fbx_lod_hidden"));
    return {scene.nodes[find(scene, "a")].visible, scene.nodes[find(scene, "b")].visible,
            scene.nodes[find(scene, "c")].visible};
}

TEST(FbxVisibility, ShowsOneLevelOfDetailOrThoseOfTheFile)
{
    const auto display = [](int level, int how) {
        return "P: \"DisplayLevels|Level" + std::to_string(level) + "\", \"Enum\", \"\", \"\"," +
               std::to_string(how) + "\n";
    };
    EXPECT_THAT(shown_levels(""), ElementsAre(true, false, false));
    EXPECT_THAT(shown_levels(display(0, 2)), ElementsAre(false, true, false));
    EXPECT_THAT(shown_levels(display(1, 1) + display(2, 1)), ElementsAre(false, true, true));
    EXPECT_THAT(shown_levels(display(0, 2) + display(1, 2) + display(2, 2)),
                ElementsAre(false, false, false));
    EXPECT_THAT(shown_levels(display(7, 1) + "P: \"DisplayLevels|Levelx\", \"Enum\", \"\", \"\",1\n"),
                ElementsAre(true, false, false));
}

TEST(FbxVisibility, GroupsAreLevelsOfDetail)
{
    const auto levels = [](const std::string& displays) {
        const scene::Scene scene = load(version_7(
            model(1, "group") + model(2, "a") + model(3, "b") + model(4, "c") + model(6, "below") +
                "NodeAttribute: 5, \"NodeAttribute::\", \"LodGroup\" { Properties70: {\n" + displays +
                "} }\n",
            "C: \"OO\",1,0\nC: \"OO\",2,1\nC: \"OO\",3,1\nC: \"OO\",4,1\nC: \"OO\",5,1\nC: \"OO\",6,3\n"));
        std::vector<scene::LevelRange> found;
        for (const char* name : {"a", "b", "below", "c"})
            found.push_back(scene.nodes[find(scene, name)].levels);
        return found;
    };
    const auto hidden = [](int level) {
        return "P: \"DisplayLevels|Level" + std::to_string(level) + "\", \"Enum\", \"\", \"\",2\n";
    };
    using Range = scene::LevelRange;
    EXPECT_THAT(levels(""), ElementsAre(Range{0, 0}, Range{1, 1}, Range{1, 1}, Range{2, scene::none}));
    EXPECT_THAT(levels(hidden(1)), ElementsAre(Range{0, 0}, Range{}, Range{}, Range{1, scene::none}))
        << "of the other children";
    EXPECT_THAT(levels("P: \"DisplayLevels|Level1\", \"Enum\", \"\", \"\",1\n"),
                ElementsAre(Range{}, Range{}, Range{}, Range{}))
        << "shown or hidden by the file";
}

// A triangle under a parent whose visibility is `shows`, both models as given; 9 is the triangle.
scene::Scene coming_and_going(const std::string& parent, const std::string& child, const std::string& values,
                              const std::string& more = {}, const std::string& objects = {})
{
    const std::string triangle = "Geometry: 9, \"Geometry::g\", \"Mesh\" { Vertices: *9 { a: "
                                 "0,0,0,1,0,0,0,1,0 } PolygonVertexIndex: *3 { a: 0,1,-3 } }\n";
    return load(version_7(model(1, "above", parent) + model(2, "a", child) + triangle + objects + stack +
                              node(80) + curve(81, "1,2,3", values),
                          stack_connections +
                              "C: \"OO\",1,0\nC: \"OO\",2,1\nC: \"OO\",9,2\nC: \"OO\",80,91\n"
                              "C: \"OP\",80,1, \"Visibility\"\nC: \"OP\",81,80, "
                              "\"d|Visibility\"\n" +
                              more));
}

TEST(FbxVisibility, AnimatedVisibilityBecomesZeroScale)
{
    const std::string hidden = "P: \"Visibility\", \"Visibility\", \"\", \"A\",0\n";
    const scene::Scene scene = coming_and_going(hidden, vec3("GeometricScaling", "2,2,2"), "0,1,0");
    EXPECT_THAT(codes(scene), ElementsAre());
    const std::uint32_t holder = find(scene, "a.geometry");
    EXPECT_NE(scene.nodes[holder].mesh, scene::none);
    EXPECT_EQ(scene.nodes[holder].helper_of, find(scene, "a"));
    EXPECT_TRUE(scene.nodes[holder].visible);
    ASSERT_EQ(scene.clips.size(), 1u);
    ASSERT_EQ(scene.clips[0].channels.size(), 1u);
    const scene::Channel& channel = scene.clips[0].channels[0];
    EXPECT_EQ(channel.node, holder);
    EXPECT_EQ(channel.interpolation, scene::Interpolation::step);
    // The curve rises from 0 at the start of the clip and is back at 0 two seconds later.
    EXPECT_THAT(channel.times, ElementsAre(-1.0f, 0.0f, 2.0f));
    EXPECT_THAT(channel.values, ElementsAre(0, 0, 0, 2, 2, 2, 0, 0, 0));
}

TEST(FbxVisibility, VisibilityIsInheritedWhereTheFileDeclaresIt)
{
    EXPECT_EQ(coming_and_going("", "", "1,1,1").nodes.size(), 2u); // nothing is hidden
    const std::string alone = "P: \"Visibility Inheritance\", \"Visibility Inheritance\", \"\", \"\",0\n";
    const scene::Scene stays = coming_and_going("", alone, "1,0,0");
    EXPECT_EQ(stays.nodes.size(), 2u);
    EXPECT_EQ(stays.clips.size(), 1u);                          // it has keys
    const std::string too = "C: \"OP\",80,2, \"Visibility\"\n"; // hidden by both is hidden
    const auto channels = coming_and_going("", "", "1,0,0", too).clips.at(0).channels;
    ASSERT_EQ(channels.size(), 1u);
    EXPECT_THAT(channels[0].times, ElementsAre(0.0f, 1.0f));
}

TEST(FbxVisibility, NodesShownByBothAreShown)
{
    const fbx::Toggles blinks{true, {1, 2, 3, 4}}, comes{false, {2, 3.5}};
    const fbx::Toggles shown = fbx::intersect(blinks, comes);
    EXPECT_FALSE(shown.shown_at_first);
    EXPECT_THAT(shown.times, ElementsAre(2, 3));
    EXPECT_THAT(fbx::intersect(comes, blinks).times, ElementsAre(2, 3));
    EXPECT_THAT(fbx::intersect(blinks, {true, {}}).times, ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(fbx::intersect(blinks, {false, {}}).times, ElementsAre());
}

} // namespace
} // namespace vitrine
