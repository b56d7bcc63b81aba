#include "loaders/scene/motion/clip_sampler.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <random>

#include <gtest/gtest.h>

#include "loaders/scene/motion/lane_loops.hpp"
#include "loaders/scene/motion/sample_poses.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/plain_pose.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::scene {
namespace {

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b)
{
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

void expect_same(const Pose& a, const Pose& b)
{
    EXPECT_TRUE(same_bytes(a.local, b.local));
    EXPECT_TRUE(same_bytes(a.model, b.model));
    EXPECT_TRUE(same_bytes(a.morph_weights, b.morph_weights));
    EXPECT_TRUE(same_bytes(a.first_weight, b.first_weight));
    EXPECT_EQ(a.vertex_frame, b.vertex_frame);
}

Pose pose_at(const Scene& scene, std::uint32_t clip, double time, glm::dvec3 origin = glm::dvec3(0.0))
{
    Pose pose{.origin = origin};
    sample_pose(scene, clip, time, pose);
    return pose;
}

void expect_equal_to_single_poses(const Scene& scene, std::uint32_t clip, const std::vector<double>& times,
                                  glm::dvec3 origin = glm::dvec3(0.0))
{
    std::vector<Pose> poses(times.size(), Pose{.origin = origin});
    ClipSampler sampler(scene, clip);
    sampler.sample(times, poses);
    for (std::size_t i = 0; i < times.size(); ++i) {
        SCOPED_TRACE(testing::Message() << "pose " << i << " at " << times[i]);
        expect_same(poses[i], pose_at(scene, clip, times[i], origin));
    }
}

// Makes the keys of linear and step rotations quaternions as exporters round them: lengths 0.9995 to 1.0005.
void make_rotations_unit(Scene& scene, std::uint32_t seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> length(0.9995f, 1.0005f);
    for (Channel& channel : scene.clips[0].channels) {
        if (channel.path != Path::rotation || channel.interpolation == Interpolation::cubic) continue;
        for (std::size_t k = 0; k < channel.values.size(); k += 4) {
            float* v = &channel.values[k];
            const float factor =
                length(random) / std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
            for (std::size_t c = 0; c < 4; ++c)
                v[c] *= factor;
        }
    }
}

std::vector<double> rising_times(std::size_t count, double first, double last)
{
    std::vector<double> times;
    for (std::size_t i = 0; i < count; ++i)
        times.push_back(first + (last - first) * static_cast<double>(i) / static_cast<double>(count - 1));
    return times;
}

TEST(ClipSampler, EqualsSinglePosesBitByBit)
{
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        Scene scene = test::random_scene(seed, {.extrapolated = seed % 3 == 0});
        if (seed % 4 != 0) make_rotations_unit(scene, seed);
        if (seed % 5 == 0) scene.clips[0].duration = 40.0; // many repetitions
        const glm::dvec3 origin = seed % 2 == 0 ? glm::dvec3(0.0) : glm::dvec3(1e7, -3.0, 0.25);
        expect_equal_to_single_poses(scene, 0, rising_times(61, -0.2, scene.clips[0].duration + 0.2), origin);
    }
}

TEST(ClipSampler, TakesTimesInAnyOrderAndNumber)
{
    Scene scene = test::random_scene(7);
    make_rotations_unit(scene, 7);
    std::mt19937 random(3);
    std::uniform_real_distribution<double> any(0.0, 1.5);
    for (std::size_t count = 1; count < 20; ++count) {
        std::vector<double> times;
        for (std::size_t i = 0; i < count; ++i)
            times.push_back(any(random));
        expect_equal_to_single_poses(scene, 0, times);
    }
}

TEST(ClipSampler, FollowsEachOriginAndTheStaticPose)
{
    const Scene scene = test::everything();
    std::vector<Pose> poses(8);
    for (std::size_t i = 0; i < poses.size(); ++i)
        poses[i].origin = glm::dvec3(static_cast<double>(i), 2.0, -1e6);
    const std::vector<double> times(8, 0.25);
    for (const std::uint32_t clip : {0u, none}) {
        ClipSampler(scene, clip).sample(times, poses);
        for (const Pose& pose : poses)
            expect_same(pose, pose_at(scene, clip, 0.25, pose.origin));
    }
}

TEST(ClipSampler, BeginsAnotherSceneWithUsedPoses)
{
    std::vector<Pose> poses(8);
    const std::vector<double> times = rising_times(8, 0.0, 1.0);
    ClipSampler sampler;
    for (const Scene& scene : {test::random_scene(1), test::skinned_bar(), test::morphing_quad(),
                               test::vertex_frame_triangle(), test::random_scene(2)}) {
        sampler.begin(scene, 0);
        sampler.sample(times, poses);
        for (std::size_t i = 0; i < times.size(); ++i)
            expect_same(poses[i], pose_at(scene, 0, times[i]));
    }
}

// Channels share the search of equal keys: with equal keys, but a step and other keys between them.
TEST(ClipSampler, SharesOnlyEqualKeys)
{
    Scene scene;
    scene.clips.push_back({.name = "clip", .duration = 1.0});
    const auto add = [&](Interpolation interpolation, std::vector<float> times) {
        const auto node = static_cast<std::uint32_t>(scene.nodes.size());
        scene.nodes.emplace_back();
        std::vector<float> values;
        for (const float time : times)
            values.insert(values.end(), {time * time, static_cast<float>(node), 1.0f});
        scene.clips[0].channels.push_back({.node = node,
                                           .interpolation = interpolation,
                                           .times = std::move(times),
                                           .values = std::move(values)});
    };
    add(Interpolation::linear, {0.0f, 0.3f, 1.0f});
    add(Interpolation::step, {0.0f, 0.3f, 1.0f});
    add(Interpolation::linear, {0.0f, 0.7f, 1.0f});
    add(Interpolation::linear, {0.0f, 0.3f, 1.0f});
    add(Interpolation::linear, {0.0f, 0.3f});
    expect_equal_to_single_poses(scene, 0, rising_times(50, 0.0, 1.0));
}

TEST(ClipSampler, ComputesLargeScenesOneByOne)
{
    Scene scene = test::skinned_bar();
    while (scene.nodes.size() < 5000)
        scene.nodes.push_back({.parent = 1});
    ClipSampler sampler(scene, 0);
    EXPECT_EQ(sampler.block(), 1u);
    expect_equal_to_single_poses(scene, 0, rising_times(9, 0.0, 1.0));
}

TEST(ClipSampler, ReuseDoesNotAllocate)
{
    const Scene scene = test::random_scene(3);
    std::vector<Pose> poses(8);
    const std::vector<double> times = rising_times(8, 0.0, 1.0);
    ClipSampler sampler(scene, 0);
    sampler.sample(times, poses);
    const auto addresses = [&] {
        std::vector<const void*> all;
        for (const Pose& pose : poses)
            all.insert(all.end(), {pose.local.data(), pose.model.data(), pose.morph_weights.data(),
                                   pose.first_weight.data(), pose.vertex_frame.data()});
        return all;
    };
    const auto before = addresses();
    sampler.begin(scene, 0);
    sampler.sample(times, poses);
    EXPECT_EQ(addresses(), before);
}

TEST(SamplePoses, ThreadsDoNotChangePoses)
{
    Scene scene = test::random_scene(11);
    make_rotations_unit(scene, 11);
    for (const std::size_t count : {0uz, 1uz, 31uz, 64uz, 100uz, 257uz}) {
        const std::vector<double> times =
            count < 2 ? std::vector<double>(count, 0.5) : rising_times(count, 0.0, 1.5);
        for (const unsigned threads : {0u, 1u, 2u, 3u, 100u}) {
            std::vector<Pose> poses(count);
            sample_poses(scene, 0, times, poses, threads);
            for (std::size_t i = 0; i < count; ++i)
                expect_same(poses[i], pose_at(scene, 0, times[i]));
        }
    }
}

TEST(SamplePoses, VisitsEachTimeInOrder)
{
    const Scene scene = test::random_scene(12);
    for (const std::size_t count : {0uz, 1uz, 8uz, 21uz}) {
        const std::vector<double> times =
            count < 2 ? std::vector<double>(count, 0.5) : rising_times(count, 0.0, 1.5);
        std::size_t next = 0;
        visit_poses(scene, 0, times, glm::dvec3(3.0), [&](std::size_t i, const Pose& pose) {
            EXPECT_EQ(i, next++);
            expect_same(pose, pose_at(scene, 0, times[i], glm::dvec3(3.0)));
        });
        EXPECT_EQ(next, count);
    }
}

TEST(SamplePoses, AgreesWithPlainCode)
{
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        Scene scene = test::random_scene(seed);
        make_rotations_unit(scene, seed);
        visit_poses(
            scene, 0, rising_times(40, 0.0, 1.5), glm::dvec3(0.0), [&](std::size_t i, const Pose& pose) {
                Pose plain;
                test::plain::sample_pose(scene, 0, 1.5 * static_cast<double>(i) / 39.0, plain);
                for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
                    EXPECT_LT(test::difference(pose.local[n].rotation, plain.local[n].rotation), 1e-6)
                        << seed;
                    EXPECT_LT(test::difference(pose.local[n].translation, plain.local[n].translation), 1e-6);
                    EXPECT_LT(test::difference(pose.model[n], plain.model[n]),
                              2e-6 * std::max(1.0, test::difference(plain.model[n], glm::mat4(0.0f))));
                }
            });
    }
}

// The bodies are compiled here for every x86-64 processor.
TEST(Lanes, BothVersionsAgree)
{
    std::mt19937 random(5);
    std::uniform_real_distribution<float> any(-1.0f, 1.0f);
    std::vector<float> values(12 * 4);
    for (int run = 0; run < 50; ++run) {
        KeyLanes at{};
        for (std::size_t i = 0; i < lane_count; ++i) {
            at.from[i] = static_cast<std::uint32_t>(random() % 3);
            at.between[i] = random() % 4 == 0 ? 0 : -1;
            at.to[i] = at.from[i] + (at.between[i] == 0 ? 0 : 1);
            at.fraction[i] = at.between[i] == 0 ? 0.0 : std::abs(double{any(random)});
            at.span[i] = at.between[i] == 0 ? 0.0 : 0.3;
        }
        for (float& value : values)
            value = any(random);
        for (std::size_t k = 0; run % 2 == 0 && k < values.size(); k += 4) {
            const glm::vec4 q =
                glm::normalize(glm::vec4(values[k], values[k + 1], values[k + 2], values[k + 3]));
            std::memcpy(&values[k], &q, sizeof(q));
        }
        Lane compiled[4] = {}, plain[4] = {};
        const auto same = [&] {
            return std::ranges::equal(std::as_bytes(std::span(compiled)), std::as_bytes(std::span(plain)));
        };
        sample_vectors(values.data(), at, compiled);
        loops::sample_vectors(values.data(), at, plain);
        EXPECT_TRUE(same());
        sample_cubic_vectors(values.data(), at, compiled);
        loops::sample_cubic_vectors(values.data(), at, plain);
        EXPECT_TRUE(same());
        EXPECT_EQ(sample_rotations(values.data(), at, compiled),
                  loops::sample_rotations(values.data(), at, plain));
        EXPECT_TRUE(same());
        EXPECT_EQ(sample_rotations(values.data(), at, compiled), run % 2 == 0);
        EXPECT_EQ(sample_cubic_rotations(values.data(), at, compiled),
                  loops::sample_cubic_rotations(values.data(), at, plain));
        EXPECT_TRUE(same());
    }
}

TEST(Interpolation, AnglesAndSinesAreExact)
{
    constexpr double half_pi = 1.5707963267948966;
    for (int i = 0; i <= 100'000; ++i) {
        const double x = half_pi * i / 100'000.0;
        ASSERT_NEAR(short_sine(x), std::sin(x), 4e-16) << x;
        ASSERT_NEAR(double_angle(std::sin(0.5 * x), std::cos(0.5 * x)), x, 5e-16) << x;
    }
}

} // namespace
} // namespace vitrine::scene
