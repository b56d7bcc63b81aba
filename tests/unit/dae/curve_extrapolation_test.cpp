#include "loaders/dae/curves/curve_extrapolation.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>

#include "loaders/scene/motion/pose.hpp"
#include "tests/unit/dae/animated.hpp"

namespace vitrine::dae::test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

constexpr double never = std::numeric_limits<double>::infinity();

dae::SamplerCurve line(InfinityBehavior before, InfinityBehavior after)
{
    return {.dimensions = 1,
            .times = {1, 2},
            .jumps = {},
            .values = {0, 10},
            .kinds = {SamplerInterpolation::linear, SamplerInterpolation::linear},
            .before = before,
            .after = after,
            .in = {},
            .out = {}};
}

double value_at(const dae::SamplerCurve& curve, double time, JumpSide side = JumpSide::after,
                double end = never)
{
    return evaluate(curve, map_time(curve, time, side, end), 0);
}

TEST(DaeExtrapolation, ConstantIsHeldAndGradientContinues)
{
    const dae::SamplerCurve clamped = line(InfinityBehavior::constant, InfinityBehavior::constant);
    EXPECT_EQ(value_at(clamped, 0.5), 0);
    EXPECT_EQ(value_at(clamped, 2.5), 10);
    const dae::SamplerCurve sloped = line(InfinityBehavior::gradient, InfinityBehavior::gradient);
    EXPECT_EQ(value_at(sloped, 0.5), -5);
    EXPECT_EQ(value_at(sloped, 1.5), 5);
    EXPECT_EQ(value_at(sloped, 4.0), 30);
}

TEST(DaeExtrapolation, CyclesJumpAtTheirBorders)
{
    const dae::SamplerCurve c = line(InfinityBehavior::cycle, InfinityBehavior::cycle);
    EXPECT_NEAR(value_at(c, 2.25), 2.5, 1e-9);
    EXPECT_NEAR(value_at(c, 0.25), 2.5, 1e-9);
    EXPECT_NEAR(value_at(c, -6.75), 2.5, 1e-9);
    for (const double border : {-3.0, 0.0, 1.0, 2.0, 5.0}) {
        EXPECT_NEAR(value_at(c, border), 0, 1e-9) << border;
        EXPECT_NEAR(value_at(c, border, JumpSide::before), 10, 1e-9) << border;
    }
    EXPECT_NEAR(value_at(c, 5.0, JumpSide::after, 5.0), 10, 1e-9) << "what is looked at ends there";
}

TEST(DaeExtrapolation, OscillatingTurnsAroundAtBothEnds)
{
    const dae::SamplerCurve c = line(InfinityBehavior::oscillate, InfinityBehavior::oscillate);
    EXPECT_NEAR(value_at(c, 2.25), 7.5, 1e-9);
    EXPECT_NEAR(value_at(c, 3.25), 2.5, 1e-9);
    EXPECT_NEAR(value_at(c, 0.75), 2.5, 1e-9);
    EXPECT_NEAR(value_at(c, -0.25), 7.5, 1e-9);
    for (const JumpSide side : {JumpSide::before, JumpSide::after}) {
        EXPECT_NEAR(value_at(c, 3.0, side), 0, 1e-9);
        EXPECT_NEAR(value_at(c, 0.0, side), 10, 1e-9);
    }
}

// In mirrored repetitions the two sides of a step are exchanged.
TEST(DaeExtrapolation, MirroredStepFallsWhereItRose)
{
    dae::SamplerCurve c = line(InfinityBehavior::constant, InfinityBehavior::oscillate);
    c.times = {0, 1, 2};
    c.values = {0, 10, 20};
    c.kinds.assign(3, SamplerInterpolation::step);
    EXPECT_EQ(value_at(c, 2.5), 10);
    EXPECT_EQ(value_at(c, 3.5), 0);
    EXPECT_EQ(value_at(c, 3.0, JumpSide::before), 10);
    EXPECT_EQ(value_at(c, 3.0, JumpSide::after), 0);
}

TEST(DaeExtrapolation, RelativeCyclesAddTheOffsetOfACycle)
{
    const dae::SamplerCurve c = line(InfinityBehavior::cycle_relative, InfinityBehavior::cycle_relative);
    for (int i = -20; i <= 20; ++i)
        EXPECT_NEAR(value_at(c, 1 + i / 4.0), i * 2.5, 1e-9) << i;
}

TEST(DaeExtrapolation, EmptyOrEndlessCurvesHold)
{
    dae::SamplerCurve one = line(InfinityBehavior::cycle, InfinityBehavior::cycle_relative);
    one.times = {1, 1};
    one.jumps = {1};
    EXPECT_EQ(value_at(one, 0), 0);
    EXPECT_EQ(value_at(one, 3), 10);
    one.before = one.after = InfinityBehavior::gradient;
    EXPECT_EQ(value_at(one, 0), 0);
    EXPECT_EQ(value_at(one, 3), 10);
    EXPECT_EQ(value_at(line(InfinityBehavior::cycle, InfinityBehavior::cycle), 1e300), 10);
}

TEST(DaeExtrapolation, RepeatedTimesAreLimitedToTheWindowAndACount)
{
    std::vector<double> times;
    EXPECT_TRUE(add_times(line(InfinityBehavior::oscillate, InfinityBehavior::cycle), {-0.5, 3.5}, times));
    sort_times(times);
    EXPECT_THAT(times, ElementsAre(-0.5, 0, 1, 2, 3, 3.5));
    times.clear();
    EXPECT_TRUE(add_times(line(InfinityBehavior::cycle, InfinityBehavior::cycle), {1e9, 1e9 + 2}, times));
    EXPECT_LE(times.size(), 12u);
    times.clear();
    EXPECT_FALSE(add_times(line(InfinityBehavior::cycle, InfinityBehavior::cycle), {0, 1e12}, times));
    EXPECT_LE(times.size(), 40'000u);
    times.clear();
    EXPECT_FALSE(add_times(line(InfinityBehavior::cycle, InfinityBehavior::cycle), {1e300, 1e301}, times));
}

AnimationXml behaving(const std::string& before, const std::string& after,
                      const std::string& target = "n/t.X", const std::string& values = "0 10")
{
    AnimationXml curve{"a", target, "1 2", values};
    curve.attributes = " pre_behavior='" + before + "' post_behavior='" + after + "'";
    return curve;
}

// On the file's time line, including times outside the clip.
glm::vec3 curves_at(const scene::Scene& scene, double time, const glm::vec3& point = glm::vec3(0.0f))
{
    scene::Pose pose;
    scene::sample_curves(scene, 0, time - scene.clips.at(0).start_time, ExtrapolationPolicy::extrapolated,
                         pose);
    return glm::vec3(pose.model.back() * glm::vec4(point, 1.0f));
}

// As ColladaMaya wrote it, next to the times.
std::string with_infinity(const AnimationXml& curve, const std::string& before, const std::string& after)
{
    std::string text = curve.text();
    text.insert(text.find("</source>"), "<technique profile='MAYA'><pre_infinity>" + before +
                                            "</pre_infinity><post_infinity>" + after +
                                            "</post_infinity></technique>");
    return text;
}

TEST(DaeExtrapolation, MayasInfinityIsTheSame)
{
    const AnimationXml curve{"a", "n/t.X", "1 2", "0 10"};
    const scene::Scene scene = loaded(document(node, with_infinity(curve, "CYCLE", "CYCLE_RELATIVE")));
    expect_near(curves_at(scene, 0.5), {5, 2, 3});
    expect_near(curves_at(scene, 2.5), {15, 2, 3});
    const scene::Scene other = loaded(document(node, with_infinity(curve, "OSCILLATE", "LINEAR")));
    expect_near(curves_at(other, 0.75), {2.5, 2, 3});
    expect_near(curves_at(other, 4), {30, 2, 3});
    const scene::Scene clamped = loaded(document(node, with_infinity(curve, "CONSTANT", "CONSTANT")));
    expect_near(curves_at(clamped, 0), {0, 2, 3});
    expect_near(curves_at(clamped, 4), {10, 2, 3});
    EXPECT_TRUE(clamped.warnings.empty());
}

TEST(DaeExtrapolation, UnknownInfinityIsReportedUnlessABehaviorIsDeclared)
{
    const scene::Scene scene = loaded(
        document(node, with_infinity(behaving("CONSTANT", "CYCLE"), "UNCONSTRAINED", "UNCONSTRAINED")));
    expect_near(curves_at(scene, 2.5), {5, 2, 3});
    EXPECT_FALSE(warns(scene, "unknown_infinity"));
    const AnimationXml curve{"a", "n/t.X", "1 2", "0 10"};
    const scene::Scene unknown = loaded(document(node, with_infinity(curve, "CONSTANT", "UNCONSTRAINED")));
    expect_near(curves_at(unknown, 4), {10, 2, 3});
    EXPECT_TRUE(warns(unknown, "unknown_infinity"));
}

TEST(DaeExtrapolation, ChannelsExtrapolateThemselves)
{
    const scene::Scene scene = loaded(document(node, behaving("CYCLE", "CYCLE_RELATIVE").text()));
    EXPECT_THAT(scene.clips.at(0).channels.at(0).times, SizeIs(2));
    expect_near(curves_at(scene, 0.5), {5, 2, 3});
    expect_near(curves_at(scene, 2.5), {15, 2, 3});
    const scene::Scene other = loaded(document(node, behaving("OSCILLATE", "GRADIENT").text()));
    expect_near(curves_at(other, 0.75), {2.5, 2, 3});
    expect_near(curves_at(other, 4), {30, 2, 3});
    EXPECT_TRUE(other.warnings.empty());
    const scene::Scene clamped = loaded(document(node, behaving("UNDEFINED", "CONSTANT").text()));
    expect_near(curves_at(clamped, 0), {0, 2, 3});
    expect_near(curves_at(clamped, 4), {10, 2, 3});
}

TEST(DaeExtrapolation, RotationsExtrapolate)
{
    for (const std::string behavior : {"GRADIENT", "CYCLE_RELATIVE"}) {
        const scene::Scene scene =
            loaded(document(node, behaving(behavior, behavior, "n/r.ANGLE", "0 200").text()));
        for (const double t : {-1.3, 0.4, 1.5, 2.2, 4.9}) {
            const double angle = glm::radians(200 * (t - 1));
            expect_near(curves_at(scene, t, {1, 0, 0}) - glm::vec3(1, 2, 3),
                        {std::cos(angle), std::sin(angle), 0}, 1e-3f);
        }
    }
}

// Two curves with different extrapolations in one channel: sampled up to the ends of the clip.
TEST(DaeExtrapolation, CurvesThatDifferAreSampledOverTheClip)
{
    const std::string clip =
        library("animation_clips", "<animation_clip start='0' end='4.5'><instance_animation url='#a'/>"
                                   "<instance_animation url='#b'/></animation_clip>");
    const std::string animations =
        behaving("CYCLE", "CYCLE").text() + AnimationXml{"b", "n/t.Y", "0 1", "0 3"}.text();
    const scene::Scene scene = loaded(document(node, animations, clip));
    for (const double t : {0.25, 0.75, 1.25, 2.25, 3.5, 4.25}) {
        const double x = 10 * (t - std::floor(t)), y = 3 * std::min(t, 1.0);
        expect_near(place_at(scene, t), {x, y, 3}, 1e-3f);
    }
    EXPECT_TRUE(warns(scene, "extrapolation_sampled")) << "beyond the clip";
    expect_near(place_at(scene, 3.9999), {9.999, 3, 3}, 1e-3f);
    expect_near(place_at(scene, 4.0), {0, 3, 3}, 1e-3f);
}

scene::Scene loaded_outside(const std::string& text, const ExtrapolationOptions& extrapolation)
{
    vitrine::test::MemorySource source("model.dae", {{"model.dae", text}});
    return vitrine::test::valid(load_dae(source, Limits(), extrapolation));
}

// A requested time outside the clip is as accurate as those inside.
TEST(DaeExtrapolation, PoseTimeBeyondTheClipIsExact)
{
    const std::string text = document(node, behaving("OSCILLATE", "CYCLE_RELATIVE").text() +
                                                AnimationXml{"b", "n/t.Y", "0 1", "0 3"}.text());
    for (const double t : {-7.75, -0.25, 2.0, 2.25, 3.0, 61.5, 1e5 + 0.75}) {
        const scene::Scene scene = loaded_outside(text, {.pose_time = t});
        const double periods = std::floor(t - 1.0), part = t - 1.0 - periods;
        const bool back = t < 1.0 && std::fmod(periods, 2.0) != 0.0;
        const double x = 10 * (t < 1.0 ? (back ? 1.0 - part : part) : periods + part);
        expect_near(curves_at(scene, t), {x, 3 * std::clamp(t, 0.0, 1.0), 3},
                    2e-3f * float(std::max(1.0, t)));
        expect_near(place_at(scene, 0.5), {5, 1.5, 3}, 1e-3f);
        EXPECT_EQ(scene.clips.at(0).duration, 2.0);
    }
}

// Also when a clip cuts its curves off.
TEST(DaeExtrapolation, PoseTimeOutsideTheClipIsSampled)
{
    const std::string clip = library("animation_clips", "<animation_clip start='0.5' end='1'>"
                                                        "<instance_animation url='#a'/></animation_clip>");
    const std::string text = document(node, AnimationXml{"a", "n/t.X", "0 1 3", "0 10 50", 3}.text(), clip);
    for (const double t : {0.0, 0.25, 1.5, 2.5, 4.0}) {
        const scene::Scene scene = loaded_outside(text, {.pose_time = t});
        expect_near(curves_at(scene, t), {t < 1.0 ? 10 * t : std::min(20 * t - 10, 50.0), 2, 3});
    }
}

TEST(DaeExtrapolation, EndsMayBeHeld)
{
    const std::string text =
        document(node, behaving("CYCLE", "CYCLE").text() + AnimationXml{"b", "n/t.Y", "0 4", "0 8"}.text());
    const scene::Scene scene = loaded_outside(text, {.policy = ExtrapolationPolicy::clamped});
    expect_near(place_at(scene, 0.5), {0, 1, 3});
    expect_near(place_at(scene, 1.5), {5, 3, 3});
    expect_near(place_at(scene, 3.25), {10, 6.5, 3});
    EXPECT_FALSE(warns(scene, "extrapolation_sampled"));
}

TEST(DaeExtrapolation, WeightsExtrapolate)
{
    const std::string shape = geometry("t1", triangles("t1", "0 1 2 0 2 3"), "", "0 0 2 1 0 0 1 1 0 0 1 0");
    const auto morph = MorphXml{.targets = "t1", .weights = "0"}.text();
    const scene::Scene scene = loaded(
        Document{.libraries = library("geometries", square("g") + shape) + library("controllers", morph) +
                              library("animations", behaving("CYCLE", "OSCILLATE", "mw(0)", "0 1").text()),
                 .nodes = "<node><instance_controller url='#c'/></node>"}
            .text());
    const scene::Channel& channel = scene.clips.at(0).channels.at(0);
    EXPECT_EQ(channel.before.mode, scene::ExtrapolationMode::repeat);
    EXPECT_EQ(channel.after.mode, scene::ExtrapolationMode::mirror);
}

} // namespace
} // namespace vitrine::dae::test
