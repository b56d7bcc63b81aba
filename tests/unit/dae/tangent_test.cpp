// Tangents of curves, as the specification and as programs write them.

#include "tests/unit/dae/animated.hpp"

namespace vitrine::dae::test {
namespace {

// One curve with single-number tangents, as programs write it.
scene::Scene one_number_tangents(const std::string& contributors, const std::string& values,
                                 const std::string& in, const std::string& out)
{
    AnimationXml curve{"a", "n/t.X", "0 1", values, 2, 1, "BEZIER BEZIER"};
    curve.more = source("in", in, 2, 1) + source("out", out, 2, 1);
    curve.inputs = "<input semantic='IN_TANGENT' source='#in'/><input semantic='OUT_TANGENT' source='#out'/>";
    return loaded(
        Document{.asset = contributors,
                 .libraries = library("geometries", square("g")) + library("animations", curve.text()),
                 .nodes = node}
            .text());
}

std::string contributor(const std::string& tool)
{
    return "<contributor><authoring_tool>" + tool + "</authoring_tool></contributor>";
}

// By the specification they are the values of the control points.
TEST(DaeAnimation, SingleTangentsAreControlPoints)
{
    for (const std::string tool : {"", "Blender 2.79", "Hand written"}) {
        const scene::Scene scene = one_number_tangents(contributor(tool), "3 6", "0 8", "4 0");
        expect_near(place_at(scene, 0.5), {(3 + 3 * 4 + 3 * 8 + 6) / 8.0, 2, 3}, 2e-4f);
    }
}

// Constant curves have tangents of 0, linear ones a third of the difference, on both sides.
TEST(DaeAnimation, SingleTangentsOfOldExportersCountFromTheKey)
{
    for (const std::string& tools :
         {contributor("Maya 7.0 | ColladaMaya v2.03b Jul 27 2006 at 18:43:34 | FCollada v1.13"),
          contributor("Feeling ColladaMax v0.01 with FCollada v0.04"), contributor("ColladaMaya v0.90"),
          contributor("Maya 8.0 | ColladaMaya v3.00 | FCollada v3.0"),
          contributor("Tired brain v0.03") + contributor("Maya 7.0 | ColladaMaya v2.00 | FCollada v1.0")}) {
        for (const double t : {0.0, 0.25, 0.5, 0.75, 1.0}) {
            const auto x_at = [&](const scene::Scene& scene) { return place_at(scene, t).x; };
            EXPECT_NEAR(x_at(one_number_tangents(tools, "-90 -90", "0 0", "0 0")), -90, 1e-4) << tools;
            EXPECT_NEAR(x_at(one_number_tangents(tools, "10 55", "0 15", "15 0")), 10 + 45 * t, 1e-4);
        }
        const scene::Scene bent = one_number_tangents(tools, "3 6", "0 8", "4 0");
        expect_near(place_at(bent, 0.5), {(3 + 3 * 7 - 3 * 2 + 6) / 8.0, 2, 3}, 2e-4f);
    }
}

// ColladaMax left the list empty when all tangents are 0.
TEST(DaeAnimation, TangentsThatOldExportersLeaveOutAreFlat)
{
    for (const std::string out : {"", "0"}) {
        const scene::Scene scene =
            one_number_tangents(contributor("Feeling ColladaMax v0.01"), "0 8", "0 0", out);
        EXPECT_FALSE(warns(scene, "missing_tangents"));
        expect_near(place_at(scene, 0.25), {8 * (3 * 0.0625 - 2 * 0.015625), 2, 3}, 1e-3f);
    }
    EXPECT_TRUE(warns(one_number_tangents("", "0 8", "0 0", ""), "missing_tangents"));
}

TEST(DaeAnimation, TangentsOfACardinalSplineAreItsTension)
{
    AnimationXml curve{"a", "n/t.X", "0 1 2", "0 8 0", 3, 1, "CARDINAL CARDINAL CARDINAL"};
    expect_near(place_at(loaded(document(node, curve.text())), 0.5), {5, 2, 3}, 2e-4f);
    curve.more = source("in", "0 0 0", 3, 1) + source("out", "0 4 0", 3, 1);
    curve.inputs = "<input semantic='IN_TANGENT' source='#in'/>";
    expect_near(place_at(loaded(document(node, curve.text())), 0.5), {5, 2, 3}, 2e-4f);
    curve.inputs += "<input semantic='OUT_TANGENT' source='#out'/>";
    const scene::Scene scene = loaded(document(node, curve.text()));
    expect_near(place_at(scene, 0.5), {4, 2, 3}, 2e-4f);
    expect_near(place_at(scene, 1.5), {4.5, 2, 3}, 2e-4f);
}

TEST(DaeAnimation, MissingTangentsAreAWarning)
{
    const scene::Scene scene =
        loaded(document(node, AnimationXml{"a", "n/t.X", "0 1", "0 10", 2, 1, "BEZIER BEZIER"}.text()));
    EXPECT_TRUE(warns(scene, "missing_tangents"));
    expect_near(place_at(scene, 0.5), {5, 2, 3});
}

} // namespace
} // namespace vitrine::dae::test
