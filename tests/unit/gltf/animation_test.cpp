#include <fmt/format.h>

#include "tests/unit/gltf/builder.hpp"

namespace vitrine {
namespace {

using test::GltfBuilder;
using test::triangle;
using test::valid;
using test::warned;
using Floats = std::vector<float>;

// Adds an animation with one channel of node 0.
void animate(GltfBuilder& builder, int times, int values, const std::string& path,
             const std::string& interpolation = "LINEAR", const std::string& more = {})
{
    builder.add("animations", fmt::format(R"({{"samplers":[{{"input":{},"output":{},"interpolation":"{}"}}],
        "channels":[{{"sampler":0,"target":{{"node":0,"path":"{}"}}}}]{}}})",
                                          times, values, interpolation, path, more));
}

scene::Scene moving(const Floats& times, const Floats& values, const std::string& interpolation = "LINEAR")
{
    GltfBuilder builder = triangle();
    const int input = builder.accessor<float>(times, "SCALAR");
    const int output = builder.accessor<float>(values, "VEC3");
    animate(builder, input, output, "translation", interpolation);
    return valid(builder.load_glb());
}

TEST(GltfAnimation, ChannelsAsStored)
{
    const scene::Scene scene = moving({0.5f, 1.5f}, {1, 2, 3, 4, 5, 6});
    ASSERT_EQ(scene.clips.size(), 1u);
    EXPECT_EQ(scene.clips[0].name, "animation_0");
    EXPECT_EQ(scene.clips[0].duration, 1.5);
    EXPECT_EQ(scene.clips[0].start_time, 0.0);
    EXPECT_EQ(scene.clips[0].frame_rate, 30.0) << "two poses are no frames";
    EXPECT_EQ(scene.clips[0].frames, 46u);
    const scene::Channel& channel = scene.clips[0].channels.at(0);
    EXPECT_EQ(channel.node, 0u);
    EXPECT_EQ(channel.path, scene::Path::translation);
    EXPECT_EQ(channel.interpolation, scene::Interpolation::linear);
    EXPECT_EQ(channel.times, (Floats{0.5f, 1.5f}));
    EXPECT_EQ(channel.values, (Floats{1, 2, 3, 4, 5, 6}));
    EXPECT_TRUE(scene.warnings.empty());
}

scene::Clip with_keys_at(const Floats& times)
{
    return moving(times, Floats(times.size() * 3, 1.0f)).clips.at(0);
}

Floats even_times(int count, double rate, int first = 0, int step = 1)
{
    Floats times;
    for (int n = 0; n < count; ++n)
        times.push_back(static_cast<float>((first + n * step) / rate));
    return times;
}

TEST(GltfAnimation, EvenKeysAreFrames)
{
    for (const double rate : {5.0, 10.0, 24.0, 25.0, 30.0, 60.0, 120.0}) {
        const auto clip = with_keys_at(even_times(34, rate));
        EXPECT_EQ(clip.frame_rate, rate);
        EXPECT_EQ(clip.frames, 34u);
    }
    EXPECT_EQ(with_keys_at(even_times(20'000, 30.0)).frame_rate, 30.0) << "eleven minutes of floats";
    EXPECT_EQ(with_keys_at(even_times(20'000, 30.0)).frames, 20'000u);
    EXPECT_NEAR(with_keys_at(even_times(100, 30000.0 / 1001)).frame_rate, 29.97003, 1e-5);
    EXPECT_EQ(with_keys_at(even_times(20, 24.0, 1)).frames, 21u) << "frames count from the clip's start";
    EXPECT_EQ(with_keys_at({0.0f, 0.1f, 0.2f, 0.7f, 1.0f}).frame_rate, 10.0) << "some frames without a key";
}

TEST(GltfAnimation, OtherKeysHaveThirtyFramesASecond)
{
    for (const auto& times : {Floats{0.0f}, Floats{0.0f, 0.11f, 0.37f}, Floats{0.0f, 1.25f, 2.5f},
                              Floats{0.05f, 0.15f, 0.25f}, even_times(50, 1000.0), Floats{-1.0f, -0.5f}}) {
        const auto clip = with_keys_at(times);
        EXPECT_EQ(clip.frame_rate, 30.0) << times.size();
        EXPECT_EQ(clip.frames, static_cast<std::uint32_t>(clip.duration * 30.0 + 0.01) + 1);
    }
}

TEST(GltfAnimation, EveryInterpolation)
{
    EXPECT_EQ(moving({0}, {1, 2, 3}, "STEP").clips[0].channels[0].interpolation, scene::Interpolation::step);
    const scene::Scene cubic =
        moving({0, 1}, {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5}, "CUBICSPLINE");
    EXPECT_EQ(cubic.clips[0].channels[0].interpolation, scene::Interpolation::cubic);
    EXPECT_EQ(cubic.clips[0].channels[0].values.size(), 18u);
    const scene::Scene wrong = moving({0}, {1, 2, 3}, "WOBBLE");
    EXPECT_TRUE(wrong.clips.empty());
    EXPECT_TRUE(warned(wrong, "invalid_channel"));
    EXPECT_TRUE(warned(wrong, "empty_clip"));
}

TEST(GltfAnimation, NormalizedIntegerRotations)
{
    GltfBuilder builder = triangle();
    const int times = builder.accessor<float>({0, 1}, "SCALAR");
    const int i8 =
        builder.accessor<std::int8_t>({0, 0, 0, 127, 0, 0, -127, 0}, "VEC4", R"(,"normalized":true)");
    const int u8 =
        builder.accessor<std::uint8_t>({0, 0, 0, 255, 0, 0, 180, 180}, "VEC4", R"(,"normalized":true)");
    const int i16 =
        builder.accessor<std::int16_t>({0, 0, 0, 32767, 0, -32768, 0, 0}, "VEC4", R"(,"normalized":true)");
    animate(builder, times, i8, "rotation");
    animate(builder, times, u8, "rotation", "STEP");
    animate(builder, times, i16, "rotation");
    const scene::Scene scene = valid(builder.load_glb());
    EXPECT_EQ(scene.clips[0].channels[0].values, (Floats{0, 0, 0, 1, 0, 0, -1, 0}));
    EXPECT_NEAR(scene.clips[1].channels[0].values[7], 0.70710678f, 1e-6f);
    EXPECT_EQ(scene.clips[2].channels[0].values[5], -1.0f);
}

TEST(GltfAnimation, MorphWeights)
{
    GltfBuilder builder = triangle();
    const int times = builder.accessor<float>({0, 1}, "SCALAR");
    const int weights = builder.accessor<std::uint8_t>({0, 255, 255, 0}, "SCALAR", R"(,"normalized":true)");
    builder.mesh(R"("POSITION":0,"NORMAL":1)", R"(,"targets":[{"POSITION":1},{"POSITION":1}])");
    builder.add("nodes", R"({"mesh":1})");
    builder.add("animations", fmt::format(R"({{"samplers":[{{"input":{},"output":{}}}],"channels":[
        {{"sampler":0,"target":{{"node":1,"path":"weights"}}}}]}})",
                                          times, weights));
    animate(builder, times, weights, "weights");
    const scene::Scene scene = valid(builder.load_glb());
    ASSERT_EQ(scene.clips.size(), 1u);
    EXPECT_EQ(scene.clips[0].channels[0].values, (Floats{0, 1, 1, 0}));
    EXPECT_TRUE(warned(scene, "invalid_channel"));
}

TEST(GltfAnimation, KeysAreRepaired)
{
    const scene::Scene unsorted = moving({2, 0, 1}, {2, 2, 2, 0, 0, 0, 1, 1, 1});
    EXPECT_EQ(unsorted.clips[0].channels[0].times, (Floats{0, 1, 2}));
    EXPECT_EQ(unsorted.clips[0].channels[0].values, (Floats{0, 0, 0, 1, 1, 1, 2, 2, 2}));
    EXPECT_TRUE(warned(unsorted, "invalid_keys"));
    const scene::Scene twice = moving({0, 1, 1, 1, 2}, {0, 0, 0, 1, 1, 1, 7, 7, 7, 3, 3, 3, 4, 4, 4});
    const scene::Channel& channel = twice.clips[0].channels[0];
    EXPECT_EQ(channel.times, (Floats{0, 1, std::nextafter(1.0f, 2.0f), 2}));
    EXPECT_EQ(channel.values, (Floats{0, 0, 0, 1, 1, 1, 3, 3, 3, 4, 4, 4}));
    EXPECT_TRUE(warned(twice, "invalid_keys"));
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(moving({0, nan, 2}, {0, 0, 0, 1, 1, 1, nan, 2, 2}).clips[0].channels[0].times, (Floats{0}));
}

TEST(GltfAnimation, CountsThatDoNotAgree)
{
    const scene::Scene fewer = moving({0, 1, 2}, {0, 0, 0, 1, 1, 1});
    EXPECT_EQ(fewer.clips[0].channels[0].times, (Floats{0, 1}));
    EXPECT_EQ(fewer.clips[0].duration, 1.0);
    EXPECT_TRUE(warned(fewer, "invalid_channel"));
    EXPECT_EQ(moving({0}, {0, 0, 0, 1, 1, 1}).clips[0].channels[0].values.size(), 3u);
}

TEST(GltfAnimation, OddChannelsAreIgnored)
{
    GltfBuilder builder = triangle();
    const int times = builder.accessor<float>({0, 1}, "SCALAR");
    const int values = builder.accessor<float>({0, 0, 0, 1, 1, 1}, "VEC3");
    const std::string samplers =
        fmt::format(R"({{"name":"odd","samplers":[{{"input":{},"output":{}}}],)", times, values);
    builder.add("animations", samplers + R"("channels":[
        {"sampler":0,"target":{"path":"translation"}},
        {"sampler":0,"target":{"node":7,"path":"translation"}},
        {"sampler":5,"target":{"node":0,"path":"scale"}},
        {"sampler":0,"target":{"node":0,"path":"color"}},
        {"sampler":0,"target":{"node":0,"path":"translation"}},
        {"sampler":0,"target":{"node":0,"path":"translation"}}]})");
    builder.add("animations", R"({"name":"nothing"})");
    const scene::Scene scene = valid(builder.load_glb());
    ASSERT_EQ(scene.clips.size(), 1u);
    EXPECT_EQ(scene.clips[0].name, "odd");
    EXPECT_EQ(scene.clips[0].channels.size(), 1u);
    EXPECT_TRUE(warned(scene, "empty_clip"));
}

TEST(GltfAnimation, MaterialAnimationIsAClip)
{
    GltfBuilder builder = triangle();
    const int times = builder.accessor<float>({0, 2.5f}, "SCALAR");
    const int values = builder.accessor<float>({1, 0}, "SCALAR");
    const auto add = [&](const std::string& name, int input, const std::string& target) {
        builder.add(
            "animations",
            fmt::format(
                R"({{"name":"{}","samplers":[{{"input":{},"output":{}}}],"channels":[{{"sampler":0,"target":{{{}}}}}]}})",
                name, input, values, target));
    };
    const std::string roughness =
        R"("path":"pointer","extensions":{"KHR_animation_pointer":{"pointer":"/materials/0/roughness"}})";
    add("dull", times, roughness);
    add("no node", times, R"("path":"translation")");
    add("no keys", 99, roughness);
    const scene::Scene scene = valid(builder.load_glb());
    ASSERT_EQ(scene.clips.size(), 2u);
    EXPECT_EQ(scene.clips[0].name, "dull");
    EXPECT_EQ(scene.clips[0].duration, 2.5);
    EXPECT_EQ(scene.clips[0].frames, 76u);
    ASSERT_EQ(scene.clips[0].channels.size(), 1u);
    EXPECT_EQ(scene.clips[0].channels[0].values, (Floats{0, 0, 0}));
    EXPECT_EQ(scene.clips[1].name, "no node");
    EXPECT_TRUE(warned(scene, "unsupported_animation"));
    EXPECT_TRUE(warned(scene, "empty_clip"));
}

TEST(GltfAnimation, AnimatedSkewIsIgnored)
{
    GltfBuilder builder = triangle();
    builder.add("nodes", R"({"matrix":[1,0,0,0,0.5,1,0,0,0,0,1,0,0,0,0,1]})");
    const int times = builder.accessor<float>({0, 1}, "SCALAR");
    const int values = builder.accessor<float>({0, 0, 0, 1, 1, 1}, "VEC3");
    builder.add("animations", fmt::format(R"({{"samplers":[{{"input":{},"output":{}}}],"channels":[
        {{"sampler":0,"target":{{"node":1,"path":"translation"}}}}]}})",
                                          times, values));
    const scene::Scene scene = valid(builder.load_glb());
    EXPECT_FALSE(scene.nodes[1].matrix);
    EXPECT_TRUE(warned(scene, "animated_matrix"));
}

TEST(GltfAnimation, LimitsAreKept)
{
    GltfBuilder builder = triangle();
    const int times = builder.accessor<float>({0, 1}, "SCALAR");
    const int values = builder.accessor<float>({0, 0, 0, 1, 1, 1}, "VEC3");
    animate(builder, times, values, "translation");
    Limits limits;
    limits.key_values = 7;
    EXPECT_EQ(builder.load_glb(limits).error().code, LoadErrc::limit_exceeded);
    limits = {};
    limits.clips = 0;
    EXPECT_EQ(builder.load_glb(limits).error().code, LoadErrc::limit_exceeded);
}

} // namespace
} // namespace vitrine
