#include "loaders/scene/facts/clip_facts.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tests/support/walker.hpp"

namespace vitrine::scene {
namespace {

using test::stepping;
using test::two_pi;
using test::Walker;

TEST(ClipFacts, RootMotionOfAWalk)
{
    const double speed = 1.4;
    const auto scene =
        Walker{.hips = [=](double t) { return glm::dvec3(0.02 * std::sin(two_pi * t), 1, speed * t); },
               .left = stepping(0.1, speed, 1.0, 0.0),
               .right = stepping(-0.1, speed, 1.0, 0.5),
               .duration = 2.0}
            .make();
    const auto facts = compute_clip_facts(scene, 0);
    EXPECT_EQ(facts.root.node, 0u);
    EXPECT_NEAR(facts.root.speed, speed, 0.01 * speed);
    EXPECT_NEAR(facts.root.distance, 2.8, 1e-3);
    EXPECT_GT(facts.root.path, facts.root.distance);
    EXPECT_NEAR(facts.root.turn, 0.0, 1e-3);
    EXPECT_FALSE(facts.root.in_place);
    EXPECT_TRUE(facts.looping.loops) << "without its way over the ground";
    EXPECT_LT(facts.looping.seam, 1e-4);
    EXPECT_NEAR(facts.looping.range.value().to, 2.0, 1e-9);
}

TEST(ClipFacts, FeetStandWhereTheyTouchTheGround)
{
    const double speed = 1.4;
    auto walker = Walker{.hips = [=](double t) { return glm::dvec3(0, 1, speed * t); },
                         .left = stepping(0.1, speed, 1.0, 0.0),
                         .right = stepping(-0.1, speed, 1.0, 0.5),
                         .duration = 2.0};
    const auto feet = compute_clip_facts(walker.make(), 0).feet;
    ASSERT_GE(feet.contacts.size(), 4u);
    for (const auto& contact : feet.contacts)
        EXPECT_TRUE(contact.node == 2 || contact.node == 3) << "the control is no foot";
    EXPECT_NEAR(feet.contacts[0].time.from, 0.0, 0.04);
    EXPECT_NEAR(feet.contacts[0].time.to, 0.5, 0.04);
    EXPECT_LT(feet.slide, 0.06);
    walker.hips = [=](double t) { return glm::dvec3(0, 1, 1.5 * speed * t); };
    EXPECT_GT(compute_clip_facts(walker.make(), 0).feet.slide, 1.0) << "the hips are faster than the steps";
    walker.hips = [](double) { return glm::dvec3(0, 1, 0); };
    const auto in_place = compute_clip_facts(walker.make(), 0);
    EXPECT_TRUE(in_place.root.in_place);
    EXPECT_LT(in_place.feet.slide, 0.1) << "as on a treadmill";
}

TEST(ClipFacts, TurnsAreSummedAndCurvesHaveASpeed)
{
    // A circle of radius 1 in 4 s, twice.
    const auto at = [](double t) { return two_pi * t / 4.0; };
    const auto scene =
        Walker{.hips = [=](double t) { return glm::dvec3(std::cos(at(t)), 1, -std::sin(at(t))); },
               .turn = [=](double t) { return glm::degrees(at(t)); },
               .duration = 8.0}
            .make();
    const auto facts = compute_clip_facts(scene, 0);
    EXPECT_NEAR(facts.root.turn, 720.0, 0.1);
    EXPECT_NEAR(facts.root.distance, 0.0, 1e-4);
    EXPECT_NEAR(facts.root.speed, two_pi / 4.0, 0.01 * two_pi / 4.0);
    EXPECT_FALSE(facts.root.in_place);
    EXPECT_TRUE(facts.looping.loops);
}

TEST(ClipFacts, ALoopMayEndOneStepBeforeItsStart)
{
    const auto waving = [](double period) {
        return [=](double t) { return glm::dvec3(0.1, -1 + 0.2 * std::sin(two_pi * t / period), 0); };
    };
    EXPECT_TRUE(compute_clip_facts(Walker{.left = waving(1.0)}.make(), 0).looping.loops);
    EXPECT_TRUE(compute_clip_facts(Walker{.left = waving(31.0 / 30.0)}.make(), 0).looping.loops);
    const auto cut = compute_clip_facts(Walker{.left = waving(1.25)}.make(), 0);
    EXPECT_FALSE(cut.looping.loops);
}

TEST(ClipFacts, FindsTheLoopInsideOfAClip)
{
    // Raises a foot for 0.5 s, then moves it around for 1 s, then lowers it for 0.5 s.
    const auto foot = [](double t) {
        if (t < 0.5) return glm::dvec3(0.1, -1 + 1.2 * t * t * 2.0, 0);
        if (t > 1.5) return glm::dvec3(0.1, -0.4 - 1.2 * (t - 1.5), -0.5 * (t - 1.5));
        const double angle = two_pi * (t - 0.5);
        return glm::dvec3(0.1 + 0.2 * std::sin(angle), -0.4, 0.2 - 0.2 * std::cos(angle));
    };
    const auto looping = compute_clip_facts(Walker{.left = foot, .duration = 2.0}.make(), 0).looping;
    EXPECT_FALSE(looping.loops);
    ASSERT_TRUE(looping.range);
    EXPECT_NEAR(looping.range->from, 0.5, 1.01 / 30.0);
    EXPECT_NEAR(looping.range->to, 1.5, 1.01 / 30.0);
}

TEST(ClipFacts, AFallDoesNotLoop)
{
    const auto fall = Walker{.hips = [](double t) { return glm::dvec3(0, 1 - 0.8 * t * t, 0); }}.make();
    const auto facts = compute_clip_facts(fall, 0);
    EXPECT_FALSE(facts.looping.loops);
    EXPECT_FALSE(facts.looping.range);
    EXPECT_TRUE(facts.root.in_place);
    EXPECT_NEAR(facts.peak_speed, 1.6, 0.05);
    EXPECT_NEAR(facts.peak_acceleration, 1.6, 0.05);
    EXPECT_NEAR(facts.start_difference, 0.0, 1e-6);
}

TEST(ClipFacts, ScenesWithoutASkeletonHaveKeyFactsOnly)
{
    Scene scene;
    scene.nodes.push_back({.name = "still"});
    scene.clips.push_back({.name = "empty", .duration = 1.0, .channels = {}});
    const auto facts = compute_clip_facts(scene, 0);
    EXPECT_TRUE(facts.keys.frozen);
    EXPECT_EQ(facts.root.node, none);
    EXPECT_FALSE(facts.looping.loops);
}

} // namespace
} // namespace vitrine::scene
