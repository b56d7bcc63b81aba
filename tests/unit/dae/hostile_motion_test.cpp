#include <cmath>

#include <fmt/format.h>

#include "tests/unit/dae/hostile.hpp"

namespace vitrine::dae::test {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

// A file of animations and clips that animate a node's translation.
LoadResult<scene::Scene> animated(const std::string& animations, const std::string& clips = "",
                                  const Limits& limits = {}, const std::string& transforms = "")
{
    return load(Document{.libraries = library("geometries", square("g")) + library("animations", animations) +
                                      library("animation_clips", clips),
                         .nodes = "<node id='n'><translate sid='t'>0 0 0</translate>" + transforms +
                                  "<instance_geometry url='#g'/></node>"}
                    .text(),
                limits);
}

std::string sampler(const std::string& id, const std::string& times)
{
    return "<sampler id='" + id + "'><input semantic='INPUT' source='#" + times +
           "'/><input semantic='OUTPUT' source='#to'/></sampler>";
}

TEST(DaeHostileMotion, InterpolationsAreReadOnce)
{
    std::string animations = "<animation>" + source("ti", "0 1", 2, 1) + source("to", "0 1", 2, 1) +
                             names("in", repeated(100'000, "STEP ")) + "</animation>";
    for (int i = 0; i < 1'000; ++i)
        animations += "<animation><sampler id='s" + std::to_string(i) +
                      "'><input semantic='INPUT' source='#ti'/><input semantic='OUTPUT' source='#to'/>"
                      "<input semantic='INTERPOLATION' source='#in'/></sampler><channel source='#s" +
                      std::to_string(i) + "' target='n/t.X'/></animation>";
    const scene::Scene scene = loaded_soon(
        Document{.libraries = library("geometries", square("g")) + library("animations", animations),
                 .nodes = "<node id='n'><translate sid='t'>0 0 0</translate><instance_geometry "
                          "url='#g'/></node>"}
            .text());
    ASSERT_THAT(scene.clips, SizeIs(1));
    EXPECT_EQ(scene.clips[0].channels.at(0).interpolation, scene::Interpolation::step);
}

TEST(DaeHostileMotion, ClipsOfDeepAnimationsAreFoundAtOnce)
{
    const std::string channels = repeated(2'000, "<channel source='#s' target='n/t.X'/>");
    const std::string deep = repeated(300, "<animation>") + "<animation id='inner'>" + channels +
                             "</animation>" + repeated(300, "</animation>");
    LoadResult<scene::Scene> scene;
    vitrine::test::expect_work_below("2'000 channels of each of 400 animations", 1'000'000'000, [&] {
        scene = animated("<animation id='a'>" + source("ti", "0 1", 2, 1) + source("to", "0 1", 2, 1) +
                             sampler("s", "ti") + deep + "</animation><animation id='b'/>",
                         repeated(200, "<animation_clip><instance_animation url='#a'/><instance_animation "
                                       "url='#inner'/></animation_clip>") +
                             "<animation_clip><instance_animation url='#b'/></animation_clip>");
    });
    ASSERT_TRUE(scene);
    EXPECT_THAT(scene->clips, SizeIs(200));
    EXPECT_EQ(count_warnings(*scene, "invalid_channel"), 0u);
    EXPECT_EQ(count_warnings(*scene, "invalid_clip"), 1u);
}

// Of the curves that have started, the last to start applies.
TEST(DaeHostileMotion, CostDoesNotGrowWithCurvesPerElement)
{
    std::string animations = "<animation>" + source("to", "0 7 1", 3, 1) + "</animation>";
    for (int i = 2'000; i-- > 0;) {
        const std::string name = fmt::format("t{}", i), id = fmt::format("s{}", i);
        animations +=
            fmt::format("<animation>{}{}<channel source='#{}' target='n/t.X'/></animation>",
                        source(name, fmt::format("{0} {0}.25 {0}.5", i), 3, 1), sampler(id, name), id);
    }
    LoadResult<scene::Scene> scene;
    vitrine::test::expect_work_below("2'000 curves", 100'000'000, [&] { scene = animated(animations); });
    ASSERT_TRUE(scene);
    ASSERT_THAT(scene->clips, SizeIs(1));
    const scene::Channel& channel = scene->clips[0].channels.at(0);
    ASSERT_GE(channel.times.size(), 6'000u);
    for (std::size_t k = 0; k < channel.times.size(); ++k) {
        const float part = channel.times[k] - std::floor(channel.times[k]);
        if (part == 0.25f) EXPECT_EQ(channel.values[3 * k], 7.0f) << channel.times[k];
    }
}

TEST(DaeHostileMotion, RestingTransformsAreMultipliedOnce)
{
    std::string times, values;
    for (int i = 0; i < 2'000; ++i) {
        times += std::to_string(i) + " ";
        values += std::to_string(i % 7) + " ";
    }
    const std::string animations = "<animation>" + source("ti", times, 2'000, 1) +
                                   source("to", values, 2'000, 1) + sampler("s", "ti") +
                                   "<channel source='#s' target='n/t.X'/></animation>";
    LoadResult<scene::Scene> scene;
    vitrine::test::expect_work_below("2'000 keys beside 20'000 rotations", 40'000'000, [&] {
        scene = animated(animations, "", {}, repeated(20'000, "<rotate>0 0 1 90</rotate>"));
    });
    ASSERT_TRUE(scene);
    ASSERT_THAT(scene->clips, SizeIs(1));
    EXPECT_EQ(scene->clips[0].channels.at(0).path, scene::Path::translation);
    EXPECT_EQ(scene->clips[0].channels.at(0).values.at(3), 1.0f);
}

TEST(DaeHostileMotion, KeysOfClipsThatMoveNothingAreBounded)
{
    const std::string animations = "<animation id='a'>" + source("ti", "0 1 2 3 4 5 6 7 8 9", 10, 1) +
                                   source("to", repeated(10, "0 "), 10, 1) + sampler("s", "ti") +
                                   "<channel source='#s' target='n/x'/></animation>";
    const std::string clip = "<animation_clip><instance_animation url='#a'/></animation_clip>";
    Limits limits;
    limits.key_values = 1'000;
    EXPECT_TRUE(animated(animations, repeated(10, clip), limits));
    const auto rejected = animated(animations, repeated(200, clip), limits);
    ASSERT_FALSE(rejected);
    EXPECT_THAT(rejected.error().detail, HasSubstr("the limit key_values = 1000"));
}

// The searches of all channels together are bounded: later channels find nothing.
TEST(DaeHostileMotion, SearchesAmongEqualSidsAreBounded)
{
    std::string animations =
        "<animation>" + source("ti", "0 1", 2, 1) + source("to", "0 1", 2, 1) + sampler("s", "ti");
    animations += repeated(10'000, "<channel source='#s' target='n/a/x'/>") + "</animation>";
    LoadResult<scene::Scene> scene;
    vitrine::test::expect_work_below("10'000 searches among 20'000 nodes", 2'500'000'000, [&] {
        scene = animated(animations, "", {}, repeated(20'000, "<node sid='a'/>"));
    });
    ASSERT_TRUE(scene);
    EXPECT_TRUE(warns(*scene, "sid_limit"));
}

} // namespace
} // namespace vitrine::dae::test
