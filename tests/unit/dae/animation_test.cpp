#include <cmath>

#include <gmock/gmock.h>

#include "tests/unit/dae/animated.hpp"

namespace vitrine::dae::test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

TEST(DaeAnimation, LinearTranslationKeepsItsKeys)
{
    const scene::Scene scene = loaded(document(node, AnimationXml{"a", "n/t.Y", "1 3", "10 20"}.text()));
    ASSERT_THAT(scene.clips, SizeIs(1));
    EXPECT_EQ(scene.clips[0].name, "model");
    EXPECT_EQ(scene.clips[0].start_time, 1.0);
    EXPECT_EQ(scene.clips[0].duration, 2.0);
    ASSERT_THAT(scene.clips[0].channels, SizeIs(1));
    EXPECT_THAT(scene.clips[0].channels[0].times, ElementsAre(0, 2));
    EXPECT_THAT(scene.clips[0].channels[0].values, ElementsAre(1, 10, 3, 1, 20, 3));
}

// Channels of one element in several animations, also nested ones, with different times.
TEST(DaeAnimation, MergesTheChannelsOfOneElement)
{
    const std::string animations =
        "<animation><animation>" + AnimationXml{"a", "n/t.X", "0 2", "0 2"}.text() + "</animation>" +
        AnimationXml{"b", "n/t.Z", "0 1 2", "0 5 0", 3, 1, "LINEAR LINEAR LINEAR"}.text() + "</animation>";
    const scene::Scene scene = loaded(document(node, animations));
    ASSERT_THAT(scene.clips.at(0).channels, SizeIs(1));
    EXPECT_THAT(scene.clips[0].channels[0].times, ElementsAre(0, 1, 2));
    expect_near(place_at(scene, 0.5), {0.5, 2, 2.5});
}

TEST(DaeAnimation, TurnsOfMoreThanHalfARoundAreNotShortened)
{
    for (const int degrees : {270, 360, 720, -500}) {
        const scene::Scene scene = loaded(
            document(node, AnimationXml{"a", "n/r.ANGLE", "0 1", "0 " + std::to_string(degrees)}.text()));
        for (int step = 0; step <= 20; ++step) {
            const double t = step / 20.0;
            const double angle = glm::radians(degrees * t);
            expect_near(place_at(scene, t, {1, 0, 0}) - glm::vec3(1, 2, 3),
                        {std::cos(angle), std::sin(angle), 0});
        }
    }
}

TEST(DaeAnimation, SeveralAnglesAreSampledWithinTheBound)
{
    const std::string nodes =
        "<node id='n'><rotate sid='z'>0 0 1 0</rotate><rotate sid='x'>1 0 0 0</rotate></node>";
    const scene::Scene scene =
        loaded(document(nodes, AnimationXml{"a", "n/z.ANGLE", "0 1", "0 170"}.text() +
                                   AnimationXml{"b", "n/x.ANGLE", "0 1", "0 -200"}.text()));
    ASSERT_THAT(scene.nodes, SizeIs(1));
    for (int step = 0; step <= 100; ++step) {
        const double t = step / 100.0;
        const double z = glm::radians(170 * t), x = glm::radians(-200 * t);
        const glm::vec3 y_axis(-std::sin(z) * std::cos(x), std::cos(z) * std::cos(x), std::sin(x));
        expect_near(place_at(scene, t, {0, 1, 0}), y_axis, 2e-4f);
    }
}

TEST(DaeAnimation, BezierFollowsItsCurve)
{
    AnimationXml curve{"a", "n/t.X", "0 1", "0 10", 2, 1, "BEZIER BEZIER"};
    curve.more = source("in", "0 0 0.7 10", 2, 2) + source("out", "0.3 0 1 10", 2, 2);
    curve.inputs = "<input semantic='IN_TANGENT' source='#in'/><input semantic='OUT_TANGENT' source='#out'/>";
    const scene::Scene scene = loaded(document(node, curve.text()));
    for (int step = 0; step <= 10; ++step) {
        const double s = step / 10.0;
        const double r = 1 - s;
        const double x = 3 * r * r * s * 0.3 + 3 * r * s * s * 0.7 + s * s * s;
        const double y = 10 * (3 * r * s * s + s * s * s);
        expect_near(place_at(scene, x), {y, 2, 3}, 2e-4f);
    }
}

TEST(DaeAnimation, UnknownInterpolationIsAWarning)
{
    const scene::Scene scene =
        loaded(document(node, AnimationXml{"a", "n/t.X", "0 1", "0 10", 2, 1, "TCB LINEAR"}.text()));
    EXPECT_TRUE(warns(scene, "unknown_interpolation"));
    expect_near(place_at(scene, 0.5), {5, 2, 3});
    const scene::Scene known = loaded(document(node, AnimationXml{"a", "n/t.X", "0 1", "0 10"}.text()));
    EXPECT_FALSE(warns(known, "unknown_interpolation"));
}

TEST(DaeAnimation, ClipsChooseAndCut)
{
    const std::string animations = AnimationXml{"a", "n/t.X", "0 4", "0 4"}.text() +
                                   AnimationXml{"b", "n/t.Y", "0 4", "0 8"}.text() +
                                   AnimationXml{"c", "n/r.ANGLE", "0 1", "0 10"}.text();
    const std::string clips = library(
        "animation_clips",
        "<animation_clip name='walk' start='1' end='3'><instance_animation url='#a'/></animation_clip>"
        "<animation_clip id='run'><instance_animation url='#b'/></animation_clip>");
    const scene::Scene scene = loaded(document(node, animations, clips));
    ASSERT_THAT(scene.clips, SizeIs(3));
    EXPECT_EQ(scene.clips[0].name, "walk");
    EXPECT_EQ(scene.clips[0].start_time, 1.0);
    EXPECT_EQ(scene.clips[0].duration, 2.0);
    expect_near(glm::vec3(model_at(scene, 0, 0, 0)[3]), {1, 2, 3});
    expect_near(glm::vec3(model_at(scene, 2, 0, 0)[3]), {3, 2, 3});
    EXPECT_EQ(scene.clips[1].name, "run");
    EXPECT_EQ(scene.clips[1].duration, 4.0);
    EXPECT_EQ(scene.clips[2].name, "model"); // curves that are in no clip
}

// The schema's default of `start` is 0.0.
TEST(DaeAnimation, ClipWithoutAStartBeginsAtZero)
{
    const std::string clip =
        library("animation_clips", "<animation_clip end='3'><instance_animation url='#a'/></animation_clip>");
    const scene::Scene scene = loaded(document(node, AnimationXml{"a", "n/t.X", "2 3", "5 7"}.text(), clip));
    EXPECT_EQ(scene.clips.at(0).start_time, 0.0);
    EXPECT_EQ(scene.clips[0].duration, 3.0);
    expect_near(place_at(scene, 0), {5, 2, 3});
    expect_near(place_at(scene, 2.5), {6, 2, 3});
}

// A dot may be part of a sid; the member follows the last one.
TEST(DaeAnimation, SidMayHoldADot)
{
    const std::string dotted =
        "<node id='n'><translate sid='t.a'>1 2 3</translate><translate sid='t'>0 0 0</translate>"
        "<translate sid='t.X'>0 0 0</translate><translate sid='e.'>0 0 0</translate></node>";
    const auto at_end = [&](const std::string& target, const std::string& values, int stride) {
        return place_at(loaded(document(dotted, AnimationXml{"a", target, "0 1", values, 2, stride}.text())),
                        1);
    };
    expect_near(at_end("n/t.a", "0 0 0 7 8 9", 3), {7, 8, 9});
    expect_near(at_end("n/t.a.Z", "0 9", 1), {1, 2, 9});
    expect_near(at_end("n/t.Y", "0 5", 1), {1, 7, 3});
    expect_near(at_end("n/t.X", "0 0 0 1 1 1", 3), {2, 3, 4});
    expect_near(at_end("n/e.", "0 0 0 1 1 1", 3), {2, 3, 4});
    expect_near(at_end("n/e.(1)", "0 4", 1), {1, 6, 3});
    expect_near(at_end("n/e..Z", "0 4", 1), {1, 2, 7});
}

// A source counts its weights, an array its numbers.
TEST(DaeAnimation, MorphWeightsAmongOtherNumbers)
{
    const std::string shape = geometry("t", triangles("t", "0 1 2 0 2 3"), "", "0 0 2 1 0 0 1 1 0 0 1 0");
    const std::string morph =
        "<controller id='c'><morph source='#g'>" + names("mt", "t t", "IDREF_array") +
        "<source id='mw'><float_array id='mwa' count='6'>9 0 8 0.25 8 9</float_array><technique_common>"
        "<accessor source='#mwa' count='2' stride='2' offset='1'/></technique_common></source>"
        "<targets><input semantic='MORPH_TARGET' source='#mt'/><input semantic='MORPH_WEIGHT' "
        "source='#mw'/></targets></morph></controller>";
    const auto moved = [&](const std::string& target) {
        return loaded(
            Document{.libraries = library("geometries", square("g") + shape) + library("controllers", morph) +
                                  library("animations", AnimationXml{"a", target, "0 1", "0 1"}.text()),
                     .nodes = "<node><instance_controller url='#c'/></node>"}
                .text());
    };
    for (const char* target : {"mw(1)", "mwa(3)", "mw[1]"})
        EXPECT_THAT(moved(target).clips.at(0).channels.at(0).values, ElementsAre(0, 0, 0, 1)) << target;
    for (const char* target : {"mw(2)", "mwa(0)", "mwa(2)", "mwa(5)"})
        EXPECT_TRUE(warns(moved(target), "invalid_channel")) << target;
}

// Twenty thousand below one root took seven seconds before the index, and fifteen thousand was the limit.
TEST(DaeAnimation, ManySidsBelowOneRootAreFound)
{
    constexpr int count = 20'000;
    std::string nodes = "<node id='root'>", channels = AnimationXml{"a", "n/t.X", "0 1", "0 9"}.text();
    const std::string channel = "<channel source='#as' target='root/k", end = "/t.X'/>";
    for (int i = 0; i < count; ++i) {
        const std::string number = std::to_string(i);
        nodes += "<node sid='k" + number + "'><translate sid='t'>0 0 0</translate></node>";
        channels.insert(channels.rfind("</animation>"), std::string(channel).append(number).append(end));
    }
    const scene::Scene scene = loaded(document(node + nodes + "</node>", channels));
    EXPECT_THAT(scene.warnings, testing::IsEmpty());
    EXPECT_THAT(scene.clips.at(0).channels, testing::SizeIs(count + 1));
}

// Consecutive curves for one number: the last one that has started applies.
TEST(DaeAnimation, CurvesMayFollowEachOther)
{
    const scene::Scene scene = loaded(document(node, AnimationXml{"b", "n/t.X", "2 3", "5 6"}.text() +
                                                         AnimationXml{"a", "n/t.X", "0 1", "0 1"}.text()));
    expect_near(place_at(scene, 0.5), {0.5, 2, 3});
    expect_near(place_at(scene, 1.5), {1, 2, 3});
    expect_near(place_at(scene, 2.5), {5.5, 2, 3});
}

TEST(DaeAnimation, MorphWeights)
{
    const std::string shape = geometry("t1", triangles("t1", "0 1 2 0 2 3"), "", "0 0 2 1 0 0 1 1 0 0 1 0");
    const auto morph = MorphXml{.targets = "t1 t1", .weights = "0 0.25", .weight_count = 2}.text();
    for (const std::string target : {"mw(0)", "mw-array(0)", "c/mw(0)"}) {
        const auto text =
            Document{.libraries = library("geometries", square("g") + shape) + library("controllers", morph) +
                                  library("animations", AnimationXml{"a", target, "0 1", "0 1"}.text()),
                     .nodes = "<node><instance_controller url='#c'/></node>"}
                .text();
        const scene::Scene scene = loaded(text);
        if (target == "c/mw(0)") { // a source has an id, but no sid
            EXPECT_TRUE(warns(scene, "unsupported_animation"));
            continue;
        }
        ASSERT_THAT(scene.clips, SizeIs(1)) << target;
        EXPECT_EQ(scene.clips[0].channels.at(0).path, scene::Path::weights);
        EXPECT_THAT(scene.clips[0].channels[0].values, ElementsAre(0, 0.25f, 1, 0.25f));
    }
    for (const std::string target : {"mw(2)", "mw-array(5)"}) {
        const scene::Scene scene = loaded(
            Document{.libraries = library("geometries", square("g") + shape) + library("controllers", morph) +
                                  library("animations", AnimationXml{"a", target, "0 1", "0 1"}.text()),
                     .nodes = "<node><instance_controller url='#c'/></node>"}
                .text());
        EXPECT_TRUE(warns(scene, "invalid_channel")) << target;
    }
    const auto jump =
        Document{.libraries =
                     library("geometries", square("g") + shape) + library("controllers", morph) +
                     library("animations", AnimationXml{"a", "mw(0)", "0 1 1 2", "0 1 0.5 0.5", 4}.text()),
                 .nodes = "<node><instance_controller url='#c'/></node>"}
            .text();
    const scene::Scene scene = loaded(jump);
    EXPECT_THAT(scene.clips.at(0).channels.at(0).values,
                ElementsAre(0, 0.25f, 1, 0.25f, 0.5f, 0.25f, 0.5f, 0.25f));
}

TEST(DaeAnimation, UnsupportedContentIsReported)
{
    const scene::Scene nobody = loaded(document(node, AnimationXml{"a", "nobody/x", "0 1", "0 1"}.text()));
    EXPECT_TRUE(warns(nobody, "unsupported_animation"));
    EXPECT_THAT(nobody.clips, SizeIs(0));
    EXPECT_TRUE(
        warns(loaded(document(node, AnimationXml{"b", "n/t.W", "0 1", "0 1"}.text())), "invalid_channel"));
}

// Keys of a color, of Maya's visibility, of a light: they make a clip of their duration in the static pose.
TEST(DaeAnimation, ArraysOfAGeometryAreNotShown)
{
    for (const std::string target : {"g-p-array(4)", "g-p(1)(1)", "g-p-array(1)(1)"}) {
        const std::string shown = "<node id='n'><instance_geometry url='#g'/></node>";
        const scene::Scene scene = loaded(document(
            shown, AnimationXml{.id = "a", .target = target, .times = "0 1", .values = "0 5"}.text()));
        EXPECT_TRUE(warns(scene, "unsupported_animation")) << target;
    }
}

TEST(DaeAnimation, CurveWithFewerValuesThanTimesIsReported)
{
    const AnimationXml curve{.id = "a", .target = "n/t.X", .times = "0 1 2", .values = "0 5 7", .keys = 3};
    EXPECT_FALSE(warns(loaded(document(node, curve.text())), "short_curve"));
    std::string text = document(node, curve.text());
    const std::string accessor = "source='#ao-array' count='3'";
    text.replace(text.find(accessor), accessor.size(), "source='#ao-array' count='2'");
    const scene::Scene scene = loaded(text);
    EXPECT_TRUE(warns(scene, "short_curve"));
    EXPECT_THAT(scene.clips.at(0).channels.at(0).times, ElementsAre(0, 1));
}

TEST(DaeAnimation, KeysOfHiddenNodesMakeAClip)
{
    const std::string more = library("effects", "<effect id='fx'><color sid='c'>1 0 0 1</color></effect>") +
                             library("lights", "<light id='lamp'><color sid='c'>1 1 1</color></light>");
    const std::string drawn = "<node id='n'><translate sid='t'>1 2 3</translate><instance_geometry "
                              "url='#g'/></node>";
    for (const std::string target : {"fx/c.R", "n/visibility", "lamp/c.R", "g"}) {
        const scene::Scene scene =
            loaded(document(drawn, AnimationXml{"a", target, "1 3 5", "0 1 0", 3}.text(), more));
        EXPECT_TRUE(warns(scene, "unsupported_animation")) << target;
        ASSERT_THAT(scene.clips, SizeIs(1)) << target;
        EXPECT_EQ(scene.clips[0].start_time, 1.0);
        EXPECT_EQ(scene.clips[0].duration, 4.0);
        expect_near(place_at(scene, 2), {1, 2, 3});
    }
    const std::string walk = AnimationXml{"w", "n/t.X", "0 1", "0 1"}.text();
    const scene::Scene both =
        loaded(document(drawn, walk + AnimationXml{"a", "fx/c.R", "0 5", "0 1"}.text(), more));
    ASSERT_THAT(both.clips, SizeIs(1));
    EXPECT_EQ(both.clips[0].duration, 5.0);
    EXPECT_THAT(both.clips[0].channels, SizeIs(1));
}

} // namespace
} // namespace vitrine::dae::test
