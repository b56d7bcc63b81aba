// Warnings about invalid files: nothing is ignored without a warning.

#include <gmock/gmock.h>

#include "tests/support/crossing_outline.hpp"
#include "tests/unit/dae/animated.hpp"
#include "tests/unit/dae/controllers.hpp"

namespace vitrine::dae::test {
namespace {

using testing::SizeIs;

const std::string animated = "<node id='n'><translate sid='t'>1 2 3</translate></node>";

std::string replaced(std::string text, const std::string& what, const std::string& by)
{
    text.replace(text.find(what), what.size(), by);
    return text;
}

scene::Scene shown(const std::string& geometries, const std::string& controllers, const std::string& nodes)
{
    return loaded(Document{
        .libraries = library("geometries", geometries) + library("controllers", controllers), .nodes = nodes}
                      .text());
}

TEST(DaeWarnings, TargetsWithoutAnIndexAreIgnored)
{
    const auto moved = [](const std::string& target) {
        return loaded(document(animated, AnimationXml{"a", target, "0 1", "0 9"}.text()));
    };
    for (const char* index : {"()", "(x)", "(-1)", "(1", "(4294967296)", "(1)x", "(1)(", "(1 2)"}) {
        const scene::Scene scene = moved(std::string("n/t") + index);
        EXPECT_TRUE(warns(scene, "invalid_channel")) << index;
        expect_near(place_at(scene, 1.0), {1, 2, 3});
    }
    const scene::Scene scene = moved("n/t( 1 ) ");
    EXPECT_FALSE(warns(scene, "invalid_channel"));
    expect_near(place_at(scene, 1.0), {1, 9, 3});
}

TEST(DaeWarnings, ControllersOfUnknownKindShowTheirSource)
{
    const std::string odd = "<controller id='c'><lattice source='#g'/></controller>";
    const scene::Scene scene = shown(square("g"), odd, "<node><instance_controller url='#c'/></node>");
    EXPECT_TRUE(warns(scene, "unsupported_controller"));
    EXPECT_THAT(scene.meshes, SizeIs(1));
    const scene::Scene nothing = shown(square("g"), "<controller id='c'><lattice/></controller>",
                                       "<node><instance_controller url='#c'/></node>");
    EXPECT_TRUE(warns(nothing, "unsupported_controller"));
}

// Exporters that copied an animation kept its ids: each refers to the nearest one.
TEST(DaeWarnings, DuplicateIdsReferToTheNearest)
{
    std::string copy = AnimationXml{"a", "n/t.X", "0 1", "0 8"}.text();
    const std::string second = replaced(AnimationXml{"a", "n/t.Y", "0 1", "0 5"}.text(), "id='a'", "id='b'");
    const scene::Scene scene = loaded(document(animated, copy + second));
    EXPECT_TRUE(warns(scene, "duplicate_id"));
    expect_near(place_at(scene, 1.0), {8, 5, 3});
    const scene::Scene nested =
        loaded(document(animated, "<animation id='outer'>" + copy + "</animation>" + second));
    expect_near(place_at(nested, 1.0), {8, 5, 3});
}

TEST(DaeWarnings, ClipsWithoutDuration)
{
    const auto with_clip = [](const std::string& attributes, const std::string& animation) {
        return loaded(document(animated, AnimationXml{"a", "n/t.X", "0 4", "0 9"}.text(),
                               library("animation_clips", "<animation_clip " + attributes +
                                                              "><instance_animation url='#" + animation +
                                                              "'/></animation_clip>")));
    };
    EXPECT_FALSE(warns(with_clip("start='1' end='2'", "a"), "invalid_clip"));
    EXPECT_FALSE(warns(with_clip("start='1' end='0'", "a"), "invalid_clip")) << "no end";
    const scene::Scene turned = with_clip("start='2' end='1'", "a");
    EXPECT_TRUE(warns(turned, "invalid_clip"));
    EXPECT_DOUBLE_EQ(turned.clips.at(0).duration, 2.0);
    EXPECT_TRUE(warns(with_clip("start='1' end='2'", "ai"), "invalid_clip")) << "plays nothing";
}

// The animation of a node that is not instantiated, next to one whose matrix is not a TRS.
TEST(DaeWarnings, ClipsThatAnimateNothingVisible)
{
    const std::string sheared = "<node id='m'><matrix>1 1 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix></node>";
    const auto text = [&](const std::string& nodes) {
        return document(nodes, AnimationXml{"a", "n/t.X", "0 4", "0 9"}.text(), library("nodes", animated));
    };
    const scene::Scene none = loaded(text(sheared));
    EXPECT_TRUE(none.clips.empty());
    EXPECT_TRUE(warns(none, "empty_clip"));
    const scene::Scene resting = loaded(text(sheared + "<node id='k'/>"));
    EXPECT_THAT(resting.clips, SizeIs(1)) << "has keys";
    EXPECT_FALSE(warns(resting, "empty_clip"));
}

TEST(DaeWarnings, InvalidBindShapes)
{
    EXPECT_FALSE(warns(of_skin({}), "invalid_transform"));
    const scene::Scene none = shown(
        square("g"), replaced(Skin{}.text(), "<bind_shape_matrix>" + identity + "</bind_shape_matrix>", ""),
        skeleton + "<node><instance_controller url='#c'/></node>");
    EXPECT_FALSE(warns(none, "invalid_transform")) << "the identity, says the standard";
    for (const char* bind_shape :
         {"2 0 0 0 0 2 0 0 0 0 2 0 0 0 0", "", "2 0 0 0 0 2 0 0 0 0 NaN 0 0 0 0 1"}) {
        const scene::Scene scene = of_skin({.bind_shape = bind_shape});
        EXPECT_TRUE(warns(scene, "invalid_transform")) << bind_shape;
        EXPECT_EQ(scene.meshes.at(0).positions.at(1), glm::vec3(1, 0, 0)) << bind_shape;
    }
}

TEST(DaeWarnings, InvalidJointIndices)
{
    EXPECT_FALSE(warns(of_skin({.v = "-1 0  0 1 1 1  1 0"}), "joint_out_of_range"));
    for (const char* v : {"-5 0  0 1 1 1  1 0", "a 0  0 1 1 1  1 0", "0.5 0  0 1 1 1  1 0"})
        EXPECT_TRUE(warns(of_skin({.v = v}), "joint_out_of_range")) << v;
}

TEST(DaeWarnings, PositionsWithoutInfluences)
{
    EXPECT_FALSE(warns(of_skin({}), "short_weights"));
    EXPECT_TRUE(warns(of_skin({.vcount = "1 2 1", .v = "0 0  0 1 1 1  1 0"}), "short_weights"));
    EXPECT_TRUE(warns(of_skin({.vcount = "", .v = ""}), "short_weights"));
}

TEST(DaeWarnings, InstancesAndControllersWithoutATarget)
{
    const std::string on_skin = "<node><instance_controller url='#c'/></node>";
    for (const char* instance : {"<instance_geometry/>", "<instance_geometry url=''/>"}) {
        const scene::Scene scene =
            shown(square("g"), "", animated + "<node>" + std::string(instance) + "</node>");
        EXPECT_TRUE(warns(scene, "missing_element")) << instance;
    }
    const scene::Scene wrong =
        shown(square("g"), "", "<node><instance_geometry url='#g-v'/></node>" + animated);
    EXPECT_TRUE(warns(wrong, "unsupported_controller"));
    const scene::Scene bare = shown(square("g"), replaced(Skin{}.text(), " source='#g'", ""), on_skin);
    EXPECT_TRUE(warns(bare, "missing_element"));
    const scene::Scene empty = shown(square("g"), "<controller id='c'/>", on_skin);
    EXPECT_TRUE(warns(empty, "unsupported_controller"));
    EXPECT_FALSE(warns(of_skin({}), "missing_element"));
}

TEST(DaeWarnings, MorphsWithoutMethodOrWeights)
{
    const auto of_morph = [](const std::string& method, const std::string& weights) {
        const auto morph =
            MorphXml{
                .targets = "t", .weights = weights, .weight_count = weights.empty() ? 0 : 1, .method = method}
                .text();
        const std::string target =
            geometry("t", triangles("t", "0 1 2 0 2 3"), "", "0 0 2 1 0 0 1 1 0 0 1 0");
        return shown(square("g") + target, morph, "<node><instance_controller url='#c'/></node>");
    };
    for (const char* method : {"", "NORMALIZED", "RELATIVE"})
        EXPECT_FALSE(warns(of_morph(method, "1"), "invalid_morph")) << method;
    EXPECT_TRUE(warns(of_morph("ADD", "1"), "invalid_morph"));
    EXPECT_TRUE(warns(of_morph("", ""), "invalid_morph"));
    const scene::Scene relative = of_morph("relative", "1");
    EXPECT_EQ(relative.meshes.at(0).morph_targets.at(0).position_deltas.at(1), glm::vec3(1, 0, 0));
}

TEST(DaeWarnings, IndicesWithoutACount)
{
    const auto of = [](const std::string& vcount, const std::string& p) {
        return shown(geometry("g", "<polylist count='1'><input semantic='VERTEX' source='#g-v' offset='0'/>"
                                   "<vcount>" +
                                       vcount + "</vcount><p>" + p + "</p></polylist>"),
                     "", "<node><instance_geometry url='#g'/></node>");
    };
    EXPECT_FALSE(warns(of("3 3", "0 1 2 0 2 3"), "invalid_face"));
    EXPECT_TRUE(warns(of("3", "0 1 2 0 2 3"), "invalid_face"));
    EXPECT_TRUE(warns(of("3", "0 1 2 0"), "invalid_face"));
    const scene::Scene cut = of("3.5", "0 1 2 0 2 3");
    EXPECT_TRUE(warns(cut, "invalid_face"));
    EXPECT_TRUE(warns(of("3 3", "0 1 2 0 1.5 3"), "invalid_face"));
    EXPECT_FALSE(warns(of("3.0 3", "0 1 2.0 0 2 3"), "invalid_face")) << "whole numbers all the same";
}

TEST(DaeWarnings, StridesThatAreShorterThanTheParams)
{
    const std::string params = "<param name='X' type='float'/><param name='Y' type='float'/><param name='Z' "
                               "type='float'/>";
    const auto of = [&](const std::string& stride, const std::string& count) {
        const std::string accessor = "<accessor source='#g-p-array' count='4' stride='3'></accessor>";
        const std::string odd =
            "<accessor source='#g-p-array' count='" + count + "'" + stride + ">" + params + "</accessor>";
        return shown(replaced(square("g"), accessor, odd), "", "<node><instance_geometry url='#g'/></node>");
    };
    EXPECT_FALSE(warns(of(" stride='3'", "4"), "short_stride"));
    for (const char* stride : {"", " stride='1'", " stride='0'"}) {
        const scene::Scene scene = of(stride, "4");
        ASSERT_THAT(scene.warnings, SizeIs(1)) << stride;
        EXPECT_TRUE(warns(scene, "short_stride")) << stride;
        EXPECT_THAT(scene.meshes.at(0).positions, testing::Contains(glm::vec3(1, 1, 0))) << stride;
    }
    EXPECT_TRUE(warns(of(" stride='2'", "6"), "short_stride")) << "no room for three";
}

TEST(DaeWarnings, DuplicateIdsAndRoots)
{
    const std::string drawn = "<node id='n'><instance_geometry url='#g'/></node>";
    const auto text = [&](const std::string& more) {
        return Document{.libraries = library("geometries", square("g") + more), .nodes = drawn}.text();
    };
    EXPECT_THAT(loaded(text(square("h"))).warnings, testing::IsEmpty());
    const scene::Scene twice = loaded(text(geometry("g", "")));
    EXPECT_TRUE(warns(twice, "duplicate_id"));
    EXPECT_THAT(twice.meshes.at(0).indices, SizeIs(6)) << "the first counts";
    EXPECT_TRUE(warns(loaded(text("") + "<COLLADA/>"), "content_after_root"));
    EXPECT_FALSE(warns(loaded(text("") + "<!-- the end -->\n"), "content_after_root"));
}

TEST(DaeWarnings, CurvesWithoutKeys)
{
    AnimationXml none{"a", "n/t.X", "", ""};
    none.keys = 0;
    none.kinds = "";
    const scene::Scene scene = loaded(document(animated, none.text()));
    EXPECT_TRUE(warns(scene, "empty_curve"));
    EXPECT_THAT(scene.clips, SizeIs(0));
    EXPECT_FALSE(
        warns(loaded(document(animated, AnimationXml{"a", "n/t.X", "0 1", "0 8"}.text())), "empty_curve"));
}

TEST(DaeWarnings, JointsWithoutABindMatrix)
{
    EXPECT_FALSE(warns(of_skin({}), "missing_bind_matrix"));
    const scene::Scene scene = of_skin({.binds = source("b", "2 0 0 0 0 2 0 0 0 0 2 0 0 0 0 1", 1, 16)});
    EXPECT_TRUE(warns(scene, "missing_bind_matrix"));
    ASSERT_THAT(scene.skins, SizeIs(1));
    ASSERT_THAT(scene.skins[0].inverse_bind, SizeIs(2));
    EXPECT_EQ(scene.skins[0].inverse_bind[0][0].x, 2.0f);
    EXPECT_EQ(scene.skins[0].inverse_bind[1], glm::mat4(1.0f)) << "the identity in its place";
}

TEST(DaeWarnings, PrimitivesWithoutPositions)
{
    const auto of = [](const std::string& input) {
        return shown(geometry("g", triangles("g", "0 1 2") + "<triangles count='1'>" + input +
                                       "<p>0 2 3</p></triangles>"),
                     "", "<node><instance_geometry url='#g'/></node>");
    };
    const std::string positions = "<input semantic='VERTEX' source='#g-v' offset='0'/>";
    EXPECT_FALSE(warns(of(positions), "invalid_primitive"));
    for (const std::string& input : {std::string(), replaced(positions, "VERTEX", "NORMAL")}) {
        const scene::Scene scene = of(input);
        EXPECT_TRUE(warns(scene, "invalid_primitive")) << input;
        EXPECT_THAT(scene.meshes.at(0).indices, SizeIs(3)) << input;
    }
}

TEST(DaeWarnings, PolygonsThatCrossThemselvesOften)
{
    std::string points, corners;
    int index = 0;
    for (const glm::vec3& corner : vitrine::test::crossing_outline()) {
        corners += std::to_string(index++) + " ";
        points += std::to_string(corner.x) + " " + std::to_string(corner.y) + " 0 ";
    }
    constexpr auto count = static_cast<int>(vitrine::test::crossing_corners);
    const scene::Scene scene =
        shown(geometry("g",
                       "<polygons count='1'><input semantic='VERTEX' source='#g-v' offset='0'/><p>" +
                           corners + "</p></polygons>",
                       "", points, count),
              "", "<node><instance_geometry url='#g'/></node>");
    EXPECT_TRUE(warns(scene, "crossing_polygon"));
    EXPECT_THAT(scene.meshes.at(0).indices, SizeIs(3 * (count - 2)));
}

} // namespace
} // namespace vitrine::dae::test
