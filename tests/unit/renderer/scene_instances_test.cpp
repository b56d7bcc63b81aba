// The instances of crowds and ghosts: places, times, limits.

#include <set>

#include <gtest/gtest.h>

#include "tests/support/scenes.hpp"
#include "vk_renderer/base/scene_instances.hpp"

namespace vitrine::render {
namespace {

constexpr scene::Aabb box{{-0.5f, 0.0f, -0.25f}, {0.5f, 2.0f, 0.25f}};

TEST(SceneInstances, OneModelIsUnchanged)
{
    const auto scene = test::skinned_bar();
    EXPECT_FALSE(has_instances({}));
    const auto all = instances_of(scene, {}, {0, 0.3}, box);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0], (SceneInstance{.clip_time = {0, 0.3}}));
    EXPECT_EQ(over_crowd({}, box, box).max, box.max);
}

TEST(SceneInstances, ACrowdStandsOnAGridWithoutTouching)
{
    const auto scene = test::skinned_bar();
    for (const std::uint32_t count : {2u, 3u, 10u, 101u, 10'000u}) {
        const View view{.crowd = count};
        const auto all = instances_of(scene, view, {0, 0.0}, box);
        ASSERT_EQ(all.size(), count);
        std::set<std::pair<float, float>> places;
        scene::Aabb around;
        for (const auto& [clip_time, placement] : all) {
            EXPECT_EQ(placement.offset.y, 0.0f);
            EXPECT_FALSE(placement.is_ghost());
            places.emplace(placement.offset.x, placement.offset.z);
            around.add({box.min + placement.offset, box.max + placement.offset});
        }
        EXPECT_EQ(places.size(), count);
        const auto whole = over_crowd(view, box, box);
        EXPECT_TRUE(whole.contains(around)) << count;
        EXPECT_NEAR(whole.center().x, 0.0f, 1e-3f);
        if (count > 100) {
            const auto size = whole.size();
            EXPECT_LT(std::max(size.x, size.z), 1.5f * std::min(size.x, size.z)) << "nearly square";
        }
        EXPECT_GE(all[1].placement.offset.x - all[0].placement.offset.x, 1.1f);
    }
}

TEST(SceneInstances, TimesOfACrowdAreWithinTheMotionDifferAndRepeat)
{
    const auto scene = test::skinned_bar();
    const View view{.crowd = 64};
    const auto all = instances_of(scene, view, {0, 0.25}, box);
    EXPECT_DOUBLE_EQ(all[0].clip_time.time, 0.25);
    std::set<double> times;
    for (const auto& one : all) {
        EXPECT_GE(one.clip_time.time, 0.0);
        EXPECT_LT(one.clip_time.time, scene.clips[0].duration);
        times.insert(one.clip_time.time);
    }
    EXPECT_EQ(times.size(), 64u);
    EXPECT_EQ(all, instances_of(scene, view, {0, 0.25}, box)) << "equal for equal arguments";
    const auto later = instances_of(scene, view, {0, 0.25 + 3.0 * scene.clips[0].duration}, box);
    for (std::size_t i = 0; i < all.size(); ++i)
        EXPECT_NEAR(later[i].clip_time.time, all[i].clip_time.time, 1e-12);
    for (const auto& one : instances_of(scene, view, {}, box))
        EXPECT_EQ(one.clip_time, ClipTime{}) << "the static pose has no time";
}

TEST(SceneInstances, GhostsAreNeighborsWithinTheMotion)
{
    const auto scene = test::skinned_bar(); // one second
    const auto all = instances_of(scene, {.ghosts = {.before = 3, .after = 3, .step = 0.2}}, {0, 0.5}, {});
    ASSERT_EQ(all.size(), 5u) << "two on each side";
    EXPECT_FALSE(all[0].placement.is_ghost());
    const std::array<double, 4> times{0.1, 0.3, 0.9, 0.7};
    for (std::size_t i = 0; i < times.size(); ++i) {
        EXPECT_NEAR(all[i + 1].clip_time.time, times[i], 1e-12);
        EXPECT_TRUE(all[i + 1].placement.is_ghost());
    }
    EXPECT_LT(all[1].placement.ghost.w, all[2].placement.ghost.w) << "farther ones are fainter";
    EXPECT_GT(all[1].placement.ghost.x, all[1].placement.ghost.z) << "red before";
    EXPECT_LT(all[3].placement.ghost.x, all[3].placement.ghost.z) << "blue after";
    EXPECT_EQ(instances_of(scene, {.ghosts = {.before = 3}}, {}, {}).size(), 1u) << "nothing moves";
    const auto crowd =
        instances_of(scene, {.crowd = 4, .ghosts = {.before = 1, .step = 0.001}}, {0, 0.5}, box);
    EXPECT_EQ(crowd.size(), 8u);
    EXPECT_EQ(crowd[7].placement.offset, crowd[3].placement.offset);
}

TEST(SceneInstances, ImagesOfInstancesBehindOneAnotherHaveFewerPixels)
{
    EXPECT_EQ(instance_pixels({.width = 4'096, .height = 4'096}), 0u) << "a single model has other limits";
    EXPECT_EQ(instance_pixels({.width = 10, .height = 10, .crowd = 12, .ghosts = {.before = 1}}), 1'200u);
    // Every row of a crowd that is seen along the ground covers the whole image.
    const View view{.width = 2'048, .height = 2'048, .crowd = 300, .ghosts = {.before = 16, .after = 16}};
    EXPECT_EQ(find_instances_fault(view, InstanceSize{}),
              "an image of so many instances with their ghosts has at most 271146 pixels, not 4194304");
    EXPECT_FALSE(find_instances_fault(
        {.width = 512, .height = 512, .crowd = 300, .ghosts = {.before = 16, .after = 16}}, InstanceSize{}));
    EXPECT_FALSE(find_instances_fault({.width = 1'280, .height = 720, .crowd = 10'000}, InstanceSize{}));
    EXPECT_TRUE(find_instances_fault({.width = 4'096, .height = 4'096, .crowd = 10'000}, InstanceSize{}));
}

TEST(SceneInstances, LimitsAreSentences)
{
    EXPECT_FALSE(find_instances_fault({.crowd = 4'000}, {.vertices = 2'000, .joints = 100}));
    EXPECT_EQ(
        find_instances_fault({.crowd = 5'000},
                             {.vertices = 2'000, .triangles = 4'000, .joints = 100, .draws = 3}),
        "an image shows at most 4194 instances of this model (2000 vertices, 4000 triangles, 100 joints, 3 "
        "parts) with their ghosts, not 5000");
    EXPECT_TRUE(find_instances_fault({.crowd = 10'000}, {.joints = 200}));
    EXPECT_TRUE(find_instances_fault({.crowd = 100}, {.vertices = 8, .triangles = 1'000'000}));
    EXPECT_TRUE(find_instances_fault({.crowd = 1'000}, {.draws = 500}));
    EXPECT_TRUE(find_instances_fault({.crowd = 6'000, .ghosts = {.before = 1}}, InstanceSize{}))
        << "12,000 with ghosts";
    EXPECT_FALSE(find_instances_fault({.crowd = 10'000}, {.vertices = 800, .joints = 100, .draws = 20}));
    EXPECT_FALSE(find_instances_fault({}, {.vertices = 100'000'000})) << "one model has other limits";
    const auto scene = test::skinned_bar();
    EXPECT_FALSE(find_instances_fault({.crowd = 10'000}, scene));
    EXPECT_TRUE(find_instances_fault({.crowd = 10'001}, scene));
}

} // namespace
} // namespace vitrine::render
