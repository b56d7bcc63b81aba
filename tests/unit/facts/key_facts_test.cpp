#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "loaders/scene/facts/clip_facts.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::scene {
namespace {

// The bar with a clip of one channel of its upper joint.
KeyFacts facts_of(Path path, std::vector<float> times, std::vector<float> values,
                  Interpolation interpolation = Interpolation::linear)
{
    Scene scene = test::skinned_bar();
    Clip clip{.name = "one", .duration = 1.0, .frame_rate = 30.0, .channels = {}};
    clip.channels.push_back({.node = 1,
                             .path = path,
                             .interpolation = interpolation,
                             .times = std::move(times),
                             .values = std::move(values)});
    scene.clips = {std::move(clip)};
    return compute_clip_facts(scene, 0).keys;
}

TEST(KeyFacts, FrozenAndConstant)
{
    const auto frozen = facts_of(Path::translation, {0, 0.5f, 1}, {1, 2, 3, 1, 2, 3, 1, 2, 3});
    EXPECT_TRUE(frozen.frozen);
    EXPECT_EQ(frozen.constant_tracks, 1u);
    EXPECT_EQ(frozen.duplicate_keys, 1u);
    EXPECT_EQ(frozen.redundant_keys, 1u);
    EXPECT_EQ(facts_of(Path::translation, {0}, {1, 2, 3}).constant_tracks, 0u) << "one key is not too many";
    EXPECT_FALSE(facts_of(Path::translation, {0, 1}, {1, 2, 3, 1, 2, 4}).frozen);
}

TEST(KeyFacts, RedundantKeysLieOnTheLineOfTheirNeighbors)
{
    EXPECT_EQ(facts_of(Path::translation, {0, 0.25f, 1}, {0, 0, 0, 1, 0, 0, 4, 0, 0}).redundant_keys, 1u);
    EXPECT_EQ(facts_of(Path::translation, {0, 0.25f, 1}, {0, 0, 0, 1, 0.1f, 0, 4, 0, 0}).redundant_keys, 0u);
    EXPECT_EQ(facts_of(Path::translation, {0, 0.5f, 1}, {0, 0, 0, 0, 0, 0, 4, 0, 0}, Interpolation::step)
                  .redundant_keys,
              1u);
}

TEST(KeyFacts, Quaternions)
{
    const auto about_x = [](double degrees, float sign) {
        const double half = degrees * 3.14159265358979 / 360.0;
        return std::vector<float>{sign * static_cast<float>(std::sin(half)), 0, 0,
                                  sign * static_cast<float>(std::cos(half))};
    };
    const auto two = [&](std::vector<float> a, const std::vector<float>& b) {
        a.insert(a.end(), b.begin(), b.end());
        return facts_of(Path::rotation, {0, 1}, std::move(a));
    };
    EXPECT_EQ(two(about_x(0, 1), about_x(30, 1)).quaternion_flips, 0u);
    EXPECT_EQ(two(about_x(0, 1), about_x(30, -1)).quaternion_flips, 1u);
    EXPECT_EQ(two(about_x(0, 1), about_x(30, 1)).non_unit_quaternions, 0u);
    EXPECT_EQ(two({0, 0, 0, 1}, {0, 0, 0, 1.1f}).non_unit_quaternions, 1u);
}

TEST(KeyFacts, Scale)
{
    const auto same = facts_of(Path::scale, {0, 1}, {1, 1, 1, 1, 1, 1});
    EXPECT_FALSE(same.has_scale || same.has_non_uniform_scale);
    const auto uniform = facts_of(Path::scale, {0, 1}, {1, 1, 1, 2, 2, 2});
    EXPECT_TRUE(uniform.has_scale);
    EXPECT_FALSE(uniform.has_non_uniform_scale);
    EXPECT_TRUE(facts_of(Path::scale, {0, 1}, {1, 1, 1, 2, 2, 3}).has_non_uniform_scale);
}

} // namespace
} // namespace vitrine::scene
