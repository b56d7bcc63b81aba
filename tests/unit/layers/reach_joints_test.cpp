#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "loaders/scene/layers/animation_layers.hpp"
#include "loaders/scene/motion/file_nodes.hpp"
#include "tests/support/compare.hpp"

namespace vitrine::scene {
namespace {

using Point = glm::dvec3;

glm::quat about(const glm::vec3& axis, float degrees)
{
    return glm::angleAxis(glm::radians(degrees), glm::normalize(axis));
}

// A body at the origin with a shoulder at (0, 1, 0), an upper arm of 1 m along X, a forearm of 0.75 m that is
// bent by 30 degrees about Z, and a finger beyond the hand.
Scene arm()
{
    Scene scene;
    scene.nodes.push_back({.name = "body"});
    scene.nodes.push_back({.name = "shoulder", .parent = 0, .local = {.translation = {0, 1, 0}}});
    scene.nodes.push_back(
        {.name = "elbow", .parent = 1, .local = {{1, 0, 0}, about({0, 0, 1}, 30), glm::vec3(1)}});
    scene.nodes.push_back({.name = "hand", .parent = 2, .local = {.translation = {0.75f, 0, 0}}});
    scene.nodes.push_back({.name = "finger", .parent = 3, .local = {.translation = {0.1f, 0, 0}}});
    return scene;
}

struct ArmPositions {
    Point shoulder, elbow, hand;
};

ArmPositions reached(const Scene& scene, const JointReach& reach, AnimationLayers others = {})
{
    others.reaches = {reach};
    EXPECT_TRUE(layers_fit(scene, others));
    Pose pose;
    sample_layers(scene, others, 0.0, pose);
    for (const auto& model : pose.model)
        EXPECT_TRUE(std::isfinite(glm::determinant(model)));
    const auto at = [&](std::uint32_t node) { return Point(pose.model[node][3]); };
    return {at(1), at(2), at(3)};
}

void expect_at(const Point& point, const Point& expected, double tolerance = 2e-6)
{
    EXPECT_LT(glm::distance(point, expected), tolerance)
        << point.x << " " << point.y << " " << point.z << " instead of " << expected.x << " " << expected.y
        << " " << expected.z;
}

void expect_lengths(const ArmPositions& arm)
{
    EXPECT_NEAR(glm::distance(arm.shoulder, arm.elbow), 1.0, 1e-6);
    EXPECT_NEAR(glm::distance(arm.elbow, arm.hand), 0.75, 1e-6);
}

TEST(ReachJoints, PutsTheEndAtThePoint)
{
    for (const Point target : {Point(1.2, 1.5, 0), Point(0.5, 0.3, 0.9), Point(-0.9, 1, -1), Point(0, 2.5, 0),
                               Point(-1.4, 1, 0), Point(0, 1, 0.3)}) {
        const auto at = reached(arm(), {.node = 3, .target = target});
        expect_at(at.shoulder, {0, 1, 0});
        expect_at(at.hand, target);
        expect_lengths(at);
    }
}

TEST(ReachJoints, TheElbowFollowsTheLawOfCosines)
{
    // At a distance of 1.25 m: 1 + 0.75^2 = 1.25^2, a right angle at the elbow.
    const auto at = reached(arm(), {.node = 3, .target = {1.25, 1, 0}});
    EXPECT_NEAR(glm::dot(at.elbow - at.shoulder, at.hand - at.elbow), 0.0, 1e-5);
    // The arm bends in the plane z = 0 and to the side of -Y, as before.
    expect_at(at.elbow, {0.8, 0.4, 0});
}

TEST(ReachJoints, OutOfReachTheLimbIsStraight)
{
    const auto far = reached(arm(), {.node = 3, .target = {0, 1, 1e6}});
    expect_at(far.hand, {0, 1, 1.75}, 1e-5);
    expect_at(far.elbow, {0, 1, 1}, 1e-5);
    const auto near = reached(arm(), {.node = 3, .target = {0, 1, 0.1}});
    expect_at(near.hand, {0, 1, 0.25}, 1e-5);
    expect_lengths(near);
}

TEST(ReachJoints, ThePoleChoosesTheSide)
{
    for (const Point pole : {Point(0.6, 1, 5), Point(0.6, 1, -5), Point(3, 9, 0)}) {
        const auto at = reached(arm(), {.node = 3, .target = {1.2, 1, 0}, .pole = pole});
        expect_at(at.hand, {1.2, 1, 0});
        const auto side = at.elbow - at.shoulder;
        const auto toward = pole - at.shoulder;
        EXPECT_GT(side.y * toward.y + side.z * toward.z, 0.1);
        EXPECT_NEAR(side.y * toward.z - side.z * toward.y, 0.0, 1e-5) << "in the plane of the pole";
    }
    const auto along = reached(arm(), {.node = 3, .target = {1.2, 1, 0}, .pole = Point(9, 1, 0)});
    expect_at(along.hand, {1.2, 1, 0});
}

TEST(ReachJoints, LimbsWithoutASideOrLengthStayFinite)
{
    Scene straight = arm();
    straight.nodes[2].local.rotation = {1, 0, 0, 0};
    expect_at(reached(straight, {.node = 3, .target = {0.2, 1.3, 0.7}}).hand, {0.2, 1.3, 0.7});
    expect_at(reached(straight, {.node = 3, .target = {-1.75, 1, 0}}).hand, {-1.75, 1, 0}, 1e-5);
    Scene no_upper_arm = arm();
    no_upper_arm.nodes[2].local.translation = glm::vec3(0);
    expect_at(reached(no_upper_arm, {.node = 3, .target = {0, 5, 0}}).hand, {0, 1.75, 0});
    Scene no_forearm = arm();
    no_forearm.nodes[3].local.translation = glm::vec3(0);
    expect_at(reached(no_forearm, {.node = 3, .target = {0, 1, -7}}).hand, {0, 1, -1});
    Scene no_arm = no_upper_arm;
    no_arm.nodes[3].local.translation = glm::vec3(0);
    expect_at(reached(no_arm, {.node = 3, .target = {0, 1, -7}}).hand, {0, 1, 0});
    Scene folded = arm(); // bones of equal length, the hand in the shoulder
    folded.nodes[2].local.rotation = about({0, 0, 1}, 180);
    folded.nodes[3].local.translation.x = 1;
    expect_at(reached(folded, {.node = 3, .target = {1, 2, 0}}).hand, {1, 2, 0});
    expect_at(reached(folded, {.node = 3, .target = {0, 1, 0}}).hand, {0, 1, 0}, 1e-5);
    Scene flat = arm();
    flat.nodes[0].local.scale = glm::vec3(0);
    reached(flat, {.node = 3, .target = {1, 2, 3}});
}

TEST(ReachJoints, ScaledAndMirroredParents)
{
    for (const glm::vec3 scale : {glm::vec3(0.01f), glm::vec3(-1, 1, 1), glm::vec3(2, 2, -2)}) {
        Scene scene = arm();
        scene.nodes[0].local = {{0.1f, 0.2f, 0.3f}, about({1, 2, 3}, 50), scale};
        Pose rest;
        static_pose(scene, rest);
        const auto shoulder = Point(rest.model[1][3]);
        const auto target = shoulder + 0.9 * double{std::abs(scale.x)} * glm::normalize(Point(1, -2, 0.5));
        expect_at(reached(scene, {.node = 3, .target = target}).hand, target,
                  4e-6 * std::abs(double{scale.x}));
    }
    Scene uneven = arm();
    uneven.nodes[0].local.scale = {1, 1.5f, 1};
    expect_at(reached(uneven, {.node = 3, .target = {0.9, 1.8, 0.4}}).hand, {0.9, 1.8, 0.4}, 1e-3);
}

TEST(ReachJoints, FollowsLayersAndTurns)
{
    Scene scene = arm();
    Clip lift{.name = "lift", .duration = 1.0, .channels = {}};
    lift.channels.push_back({.node = 0, .path = Path::translation, .times = {0}, .values = {0, 5, 0}});
    scene.clips.push_back(lift);
    AnimationLayers layers{.layers = {{.clip = 0}},
                           .adjustments = {{.node = 0, .rotation = about({0, 1, 0}, 90)}}};
    const auto at = reached(scene, {.node = 3, .target = {0.5, 6.5, 0.5}}, layers);
    expect_at(at.shoulder, {0, 6, 0});
    expect_at(at.hand, {0.5, 6.5, 0.5});
}

TEST(ReachJoints, HelpersAndMatricesTurnToo)
{
    Scene scene = arm();
    // The shoulder's translation and rotation are in a helper above it; the elbow has shear.
    scene.nodes.insert(scene.nodes.begin() + 1,
                       {.name = "shoulder.trs", .parent = 0, .local = {.translation = {0, 1, 0}}});
    for (std::size_t i = 2; i < scene.nodes.size(); ++i)
        scene.nodes[i].parent = static_cast<std::uint32_t>(i - 1);
    scene.nodes[1].helper_of = 2;
    scene.nodes[2].local = {};
    auto& elbow = scene.nodes[3];
    elbow.matrix = to_matrix(elbow.local);
    (*elbow.matrix)[1].x += 0.25f;
    ASSERT_TRUE(is_split_scale(scene, 2));
    AnimationLayers layers{.reaches = {{.node = 4, .target = {0.3, 1.9, 0.8}}}};
    ASSERT_TRUE(layers_fit(scene, layers));
    Pose pose;
    sample_layers(scene, layers, 0.0, pose);
    expect_at(Point(pose.model[4][3]), {0.3, 1.9, 0.8});
    expect_at(Point(pose.model[2][3]), {0, 1, 0});
    EXPECT_EQ(pose.local[2].rotation, scene.nodes[2].local.rotation) << "it has only the scale";
}

TEST(ReachJoints, RejectsWhatDoesNotFit)
{
    const Scene scene = arm();
    const auto fits = [&](JointReach reach) { return layers_fit(scene, {.reaches = {reach}}); };
    EXPECT_TRUE(fits({.node = 2})) << "the body and the shoulder are above it";
    EXPECT_FALSE(fits({.node = 1}));
    EXPECT_FALSE(fits({.node = 0}));
    EXPECT_FALSE(fits({.node = 5}));
    EXPECT_FALSE(fits({.node = none}));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(fits({.node = 3, .target = {0, nan, 0}}));
    EXPECT_FALSE(fits({.node = 3, .target = {1e300, 0, 0}}));
    EXPECT_FALSE(fits({.node = 3, .pole = Point(0, 0, nan)}));
    EXPECT_FALSE(layers_fit(scene, {.reaches = std::vector<JointReach>(max_reaches + 1, {.node = 3})}));
}

} // namespace
} // namespace vitrine::scene
