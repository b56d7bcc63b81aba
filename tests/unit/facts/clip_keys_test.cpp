#include "loaders/scene/motion/clip_keys.hpp"

#include <gtest/gtest.h>

namespace vitrine::scene {
namespace {

// Node 2 is a helper that only compensates for something: its keys are not the file's.
Scene keyed()
{
    Scene scene;
    scene.nodes = {{.name = "a"}, {.name = "b", .parent = 0}};
    Clip clip{.duration = 1.0, .frame_rate = 10.0, .channels = {}};
    const auto add = [&](std::uint32_t node, Interpolation interpolation, std::vector<float> times) {
        Channel channel{.node = node, .path = Path::translation, .interpolation = interpolation};
        channel.values = std::vector<float>(times.size() * 3, 0.0f);
        channel.times = std::move(times);
        clip.channels.push_back(std::move(channel));
    };
    add(0, Interpolation::linear, {-0.5f, 0.0f, 0.4f, 1.0f, 2.0f});
    add(0, Interpolation::linear, {-0.5f, 0.0f, 0.4f, 1.0f, 2.0f}); // the same
    add(1, Interpolation::step, {0.0f, 0.400001f, 0.8f});
    scene.clips.push_back(std::move(clip));
    return scene;
}

TEST(ClipKeys, MergesTheKeysWithinTheClip)
{
    const Scene scene = keyed();
    const auto times = key_times(scene, scene.clips[0]);
    ASSERT_EQ(times.size(), 4u) << "keys outside of the clip and those of one time count once";
    EXPECT_NEAR(times[1], 0.4, 1e-6);
    EXPECT_NEAR(times[2], 0.8, 1e-6);
    EXPECT_EQ(times[3], 1.0);
    EXPECT_EQ(key_times(scene, scene.clips[0], {true, false}).size(), 3u);
    EXPECT_TRUE(key_times(scene, scene.clips[0], {false, false}).empty());
}

TEST(ClipKeys, FindsThePlaceBetweenTwoKeys)
{
    const std::vector<double> times{0.2, 0.4, 0.8};
    const auto expect = [&](double time, std::size_t from, std::size_t to, double blend) {
        const auto span = find_span(times, time);
        EXPECT_EQ(span.from, from) << time;
        EXPECT_EQ(span.to, to) << time;
        EXPECT_NEAR(span.blend, blend, 1e-9) << time;
    };
    expect(0.5, 1, 2, 0.25);
    expect(0.4, 1, 1, 0.0);
    expect(0.4 - 1e-6, 1, 1, 0.0);
    expect(0.0, 0, 0, 0.0);
    expect(0.9, 2, 2, 0.0);
    EXPECT_EQ(previous_key(times, 0.4), 0.2);
    EXPECT_EQ(next_key(times, 0.4), 0.8);
    EXPECT_EQ(previous_key(times, 0.2), std::nullopt);
    EXPECT_EQ(next_key(times, 0.8), std::nullopt);
    EXPECT_EQ(previous_key(times, 0.5), 0.4);
}

TEST(ClipKeys, StepsBeginAgainAtTheEnds)
{
    const std::vector<double> times{0.2, 0.4, 0.8};
    EXPECT_EQ(step_keys(times, 0.4, 1), 0.8);
    EXPECT_EQ(step_keys(times, 0.5, 1), 0.8);
    EXPECT_EQ(step_keys(times, 0.5, -1), 0.4);
    EXPECT_EQ(step_keys(times, 0.8, 1), 0.2);
    EXPECT_EQ(step_keys(times, 0.2, -1), 0.8);
    EXPECT_EQ(step_keys(times, 0.0, -1), 0.8);
    EXPECT_EQ(step_keys(times, 0.2, 1000), times[1000 % 3]);
    EXPECT_EQ(step_keys(times, 0.2, -1000), times[2]);
    EXPECT_EQ(step_keys(times, 0.3, 0), 0.3);
    EXPECT_EQ(step_keys({}, 0.3, 1), 0.3);
    const Clip clip{.duration = 1.0, .frame_rate = 10.0, .channels = {}};
    EXPECT_NEAR(step_frames(clip, 0.52, 1), 0.6, 1e-9);
    EXPECT_NEAR(step_frames(clip, 0.0, -1), 1.0, 1e-9);
    EXPECT_NEAR(step_frames(clip, 1.0, 1), 0.0, 1e-9);
    EXPECT_EQ(step_frames({}, 5.0, 3), 0.0);
}

TEST(ClipKeys, NamesTheInterpolationThatAllTracksHave)
{
    const Scene scene = keyed();
    const auto& clip = scene.clips[0];
    const auto times = key_times(scene, clip);
    const auto all = place_among_keys(scene, clip, times, 0.6);
    ASSERT_TRUE(all);
    EXPECT_EQ(all->span.from, 1u);
    EXPECT_NEAR(all->span.blend, 0.5, 1e-5);
    EXPECT_EQ(all->interpolation, std::nullopt) << "linear and step";
    EXPECT_EQ(place_among_keys(scene, clip, times, 0.6, {true, false})->interpolation, Interpolation::linear);
    EXPECT_FALSE(place_among_keys(scene, clip, {}, 0.6));
    EXPECT_EQ(find_span(clip.channels[2], 0.6).blend, 0.0) << "a step";
    EXPECT_EQ(find_span(clip.channels[2], 0.6).to, 2u);
    EXPECT_NEAR(find_span(clip.channels[0], 0.7).blend, 0.5, 1e-6);
}

} // namespace
} // namespace vitrine::scene
