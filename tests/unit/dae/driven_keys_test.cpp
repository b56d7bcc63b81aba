#include <cmath>

#include <gmock/gmock.h>

#include "tests/unit/dae/animated.hpp"

namespace vitrine::dae::test {
namespace {

using testing::SizeIs;

// As an input of the sampler.
std::string driven(AnimationXml curve, const std::string& driver)
{
    curve.inputs += "<input semantic='DRIVER' source='#" + driver + "'/>";
    return curve.text();
}

// As ColladaMaya writes it, next to the times.
std::string driven_in_source(const AnimationXml& curve, const std::string& driver)
{
    std::string text = curve.text();
    const std::string end = "</technique_common>";
    text.insert(text.find(end) + end.size(),
                "<technique profile='MAYA'><input semantic='DRIVER' source='#" + driver + "'/></technique>");
    return text;
}

const AnimationXml x_moves{"a", "n/t.X", "0 1 3", "0 10 0", 3, 1, "LINEAR LINEAR LINEAR"};
const AnimationXml y_bends{"b", "n/t.Y", "2 4 10", "1 5 -1", 3, 1, "LINEAR LINEAR LINEAR"};

TEST(DaeDrivenKeys, AreEvaluatedAtTheDrivingNumber)
{
    const auto y_of = [](double x) { return x < 2 ? 1.0 : x < 4 ? 2 * x - 3 : 9 - x; };
    for (const std::string& text : {driven(y_bends, "n/t(0)"), driven_in_source(y_bends, "n/t.X")}) {
        const scene::Scene scene = loaded(document(node, text + x_moves.text()));
        EXPECT_EQ(scene.clips.at(0).duration, 3.0);
        EXPECT_THAT(scene.warnings, testing::IsEmpty());
        for (const double t : {0.0, 0.1, 0.2, 0.3, 0.4, 0.7, 1.0, 1.5, 2.2, 2.7, 3.0}) {
            const double x = t < 1 ? 10 * t : 15 - 5 * t;
            expect_near(place_at(scene, t), {x, y_of(x), 3}, 1e-3f);
        }
    }
    EXPECT_EQ(loaded(document(node, y_bends.text())).clips.at(0).duration, 8.0) << "over time";
}

TEST(DaeDrivenKeys, BendWhereEitherCurveBends)
{
    AnimationXml x{"a", "n/t.X", "0 1", "0 10", 2, 1, "BEZIER BEZIER"};
    x.more = source("in", "0 0 0.7 10", 2, 2) + source("out", "0.3 0 1 10", 2, 2);
    x.inputs = "<input semantic='IN_TANGENT' source='#in'/><input semantic='OUT_TANGENT' source='#out'/>";
    const AnimationXml y{"b", "n/t.Y", "0 5 10", "0 7 0", 3, 1, "STEP LINEAR LINEAR"};
    const scene::Scene scene = loaded(document(node, x.text() + driven(y, "n/t(0)")));
    for (const double s : {0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9}) { // the step is between them
        const double r = 1 - s;
        const double time = 3 * r * r * s * 0.3 + 3 * r * s * s * 0.7 + s * s * s;
        const double at = 10 * (3 * r * s * s + s * s * s);
        expect_near(place_at(scene, time), {at, at < 5 ? 0.0 : 7 - 1.4 * (at - 5), 3}, 1e-3f);
    }
}

// Drivers of other elements, themselves driven, and repeating ones.
TEST(DaeDrivenKeys, MayBeDrivers)
{
    AnimationXml cycle = x_moves;
    cycle.attributes = " post_behavior='CYCLE'";
    const AnimationXml angle{"b", "n/r.ANGLE", "0 10", "0 90"}, wide{"c", "n/s.X", "0 90", "1 4"};
    const std::string clip = library(
        "animation_clips", "<animation_clip start='0' end='9'><instance_animation url='#a'/>"
                           "<instance_animation url='#b'/><instance_animation url='#c'/></animation_clip>");
    const scene::Scene scene =
        loaded(document(node, driven(wide, "n/r.ANGLE") + driven(angle, "n/t(0)") + cycle.text(), clip));
    for (const double t : {0.25, 0.5, 1.0, 2.0, 3.5, 6.25, 8.0}) {
        const double part = std::fmod(t, 3.0), x = part < 1 ? 10 * part : 15 - 5 * part;
        const double turned = glm::radians(9 * x), scaled = 1 + 0.3 * x;
        expect_near(place_at(scene, t, {1, 0, 0}),
                    {x + scaled * std::cos(turned), 2 + scaled * std::sin(turned), 3}, 5e-3f);
    }
}

TEST(DaeDrivenKeys, OfConstantDriversAreConstant)
{
    const AnimationXml y{"b", "n/t.Y", "0 2", "0 8"};
    const scene::Scene scene = loaded(document(node, driven(y, "n/t(2)") + x_moves.text()));
    expect_near(place_at(scene, 1.0), {10, 8, 3});
    EXPECT_THAT(scene.warnings, testing::IsEmpty());
    for (const std::string driver : {"gone/t(0)", "g", "n"}) {
        const scene::Scene odd = loaded(document(node, driven(y, driver) + x_moves.text()));
        EXPECT_TRUE(warns(odd, "driven_keys")) << driver;
        expect_near(place_at(odd, 1.0), {10, 0, 3});
    }
}

TEST(DaeDrivenKeys, CyclesAreReportedAndBroken)
{
    const AnimationXml y{"b", "n/t.Y", "0 2", "0 8"}, z{"c", "n/t.Z", "0 8", "1 3"};
    const scene::Scene scene =
        loaded(document(node, driven(y, "n/t(2)") + driven(z, "n/t(1)") + x_moves.text()));
    EXPECT_TRUE(warns(scene, "driven_keys"));
    const scene::Scene own = loaded(document(node, driven(y, "n/t(1)")));
    expect_near(place_at(own, 0.0), {1, 8, 3});
}

// The total number of evaluations is bounded.
TEST(DaeDrivenKeys, ManyKeysOfALongDriverLoad)
{
    std::string times, values, kinds;
    for (int i = 0; i < 2000; ++i) {
        times += std::to_string(i) + " ";
        values += i % 2 == 0 ? "0 " : "10 ";
        kinds += "LINEAR ";
    }
    std::string nodes, curves = AnimationXml{"a", "n/t.X", times, values, 2000, 1, kinds}.text();
    for (int i = 0; i < 200; ++i) {
        const std::string id = "m" + std::to_string(i);
        nodes += "<node id='" + id + "'><translate sid='t'>0 0 0</translate></node>";
        curves += driven({"c" + id, id + "/t.X", "0 5 10", "0 7 0", 3, 1, kinds}, "n/t(0)");
    }
    const scene::Scene scene = loaded(document(node + nodes, curves));
    EXPECT_THAT(scene.clips.at(0).channels, SizeIs(201));
}

} // namespace
} // namespace vitrine::dae::test
