#include "loaders/scene/motion/dual_quaternion.hpp"

#include <random>

#include <glm/gtc/matrix_transform.hpp>
#include <gtest/gtest.h>

#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/skinning/skinner.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::scene {
namespace {

PaletteEntry entry_of(const glm::mat4& m)
{
    const glm::mat4 rows = glm::transpose(m);
    return {{rows[0], rows[1], rows[2]}};
}

glm::mat4 turned(float degrees, glm::vec3 axis, glm::vec3 translation = glm::vec3(0.0f))
{
    return glm::rotate(glm::translate(glm::mat4(1.0f), translation), glm::radians(degrees),
                       glm::normalize(axis));
}

double turn_between(const glm::dquat& a, const glm::dquat& b)
{
    return test::difference(glm::quat(a), glm::quat(b));
}

glm::dquat rotation_of(const glm::mat4& m)
{
    return glm::dquat(glm::quat_cast(m));
}

TEST(NearestRotation, OfARotationIsTheRotation)
{
    for (const float degrees : {0.0f, 30.0f, 179.0f, 180.0f, 270.0f}) {
        const glm::mat4 m = turned(degrees, {1, 2, 3}, {4, 5, 6});
        EXPECT_LT(turn_between(nearest_rotation(entry_of(m)), rotation_of(m)), 1e-6) << degrees;
    }
}

// Polar decomposition: stretching along any axes keeps the rotation.
TEST(NearestRotation, IgnoresStretch)
{
    const glm::mat4 m = turned(70, {1, -2, 0.5});
    const glm::mat4 frame = turned(33, {3, 1, 1});
    for (const glm::vec3 s :
         {glm::vec3(2, 2, 2), glm::vec3(1, 2, 3), glm::vec3(0.01, 5, 5), glm::vec3(0.05, 20, 1)}) {
        const glm::mat4 stretch = frame * glm::scale(glm::mat4(1.0f), s) * glm::transpose(frame);
        EXPECT_LT(turn_between(nearest_rotation(entry_of(m * stretch)), rotation_of(m)), 2e-4);
        EXPECT_LT(turn_between(nearest_rotation(entry_of(m * stretch * 1e-12f)), rotation_of(m)), 2e-4);
    }
}

TEST(NearestRotation, OfAMirrorIsTheRotationOfItsNegative)
{
    const glm::mat4 m = turned(70, {1, -2, 0.5});
    const glm::mat4 mirror = glm::scale(glm::mat4(1.0f), {-1, -2, -3});
    EXPECT_LT(turn_between(nearest_rotation(entry_of(m * mirror)), rotation_of(m)), 1e-6);
    const glm::mat4 across = glm::scale(glm::mat4(1.0f), {-1, 1, 1});
    const glm::mat4 half_turn = turned(180, {1, 0, 0});
    EXPECT_LT(turn_between(nearest_rotation(entry_of(m * across)), rotation_of(m * half_turn)), 1e-6);
}

TEST(NearestRotation, IsDefinedForCollapsedMatrices)
{
    const glm::mat4 m = turned(40, {0, 1, 1});
    const glm::mat4 plane = glm::scale(glm::mat4(1.0f), {2, 0, 1});
    EXPECT_LT(turn_between(nearest_rotation(entry_of(m * plane)), rotation_of(m)), 1e-6);
    const glm::mat4 line = glm::scale(glm::mat4(1.0f), {0, 1, 0});
    const glm::quat q = glm::quat(nearest_rotation(entry_of(m * line)));
    EXPECT_LT(test::difference(q * glm::vec3(0, 1, 0), glm::vec3(m[1])), 1e-6);
    EXPECT_EQ(nearest_rotation(entry_of(glm::mat4(0.0f))), glm::dquat(1, 0, 0, 0));
}

TEST(Split, RecombinesToTheMatrix)
{
    std::mt19937 random(7);
    std::uniform_real_distribution<float> number(-2, 2);
    for (int i = 0; i < 200; ++i) {
        glm::mat4 m(1.0f);
        for (int c = 0; c < 4; ++c)
            m[c] = {number(random), number(random), number(random), c == 3 ? 1.0f : 0.0f};
        const RigidJoint joint = split(entry_of(m));
        const glm::mat3 again(glm::mat3_cast(joint.rotation) * joint.stretch);
        for (int c = 0; c < 3; ++c) {
            EXPECT_LT(test::difference(again[c], glm::vec3(m[c])), 1e-5);
            EXPECT_NEAR(joint.stretch[c][(c + 1) % 3], joint.stretch[(c + 1) % 3][c], 1e-6) << "symmetric";
        }
    }
}

struct Bar {
    Scene scene = test::skinned_bar();

    explicit Bar(SkinningMethod method) { scene.skins[0].method = method; }

    SkinnedMesh at(double time) const
    {
        Pose pose;
        sample_pose(scene, 0, time, pose);
        return Skinner(scene).skin(pose)[0];
    }
    // The upper joint in the static pose, changed by `local`; ring 1 is weighted equally to both joints.
    SkinnedMesh with_upper(const Trs& local)
    {
        scene.nodes[1].local = local;
        scene.clips[0].channels.clear();
        return at(0.0);
    }
};

// The upper joint turns by 90 degrees about z through (0, 1, 0): the ring turns by 45 degrees and keeps its
// size, whereas linear blending shrinks it by the cosine.
TEST(DualQuaternion, RotatesHalfwayWithoutShrinking)
{
    const Bar bar(SkinningMethod::dual_quaternion);
    const SkinnedMesh bent = bar.at(1.0);
    const float c = std::sqrt(0.5f) * 0.1f;
    EXPECT_LT(test::difference(bent.positions[4], {-c, 1.0f - c, 0.1f}), 1e-6);
    EXPECT_LT(test::difference(bent.positions[5], {c, 1.0f + c, 0.1f}), 1e-6);
    EXPECT_LT(test::difference(bent.positions[8], {-1.0f, 0.9f, 0.1f}), 1e-6)
        << "one joint: equals linear skinning";
    EXPECT_LT(test::difference(bent.positions[0], bar.scene.meshes[0].positions[0]), 1e-6);
    EXPECT_NEAR(glm::length(bent.normals[4]), 1.0f, 1e-6);
}

TEST(DualQuaternion, UsesTheShorterArcForAnySigns)
{
    Bar bar(SkinningMethod::dual_quaternion);
    const glm::quat turn = glm::angleAxis(glm::radians(300.0f), glm::vec3(0, 0, 1)); // 60 degrees back
    const glm::vec3 at(0, 1, 0);
    const SkinnedMesh a = bar.with_upper({at, turn, glm::vec3(1.0f)});
    const SkinnedMesh b = bar.with_upper({at, -turn, glm::vec3(1.0f)});
    const glm::quat half = glm::angleAxis(glm::radians(-30.0f), glm::vec3(0, 0, 1));
    for (int v = 4; v < 8; ++v) {
        const glm::vec3 expected =
            at + half * (bar.scene.meshes[0].positions[static_cast<std::size_t>(v)] - at);
        EXPECT_LT(test::difference(a.positions[static_cast<std::size_t>(v)], expected), 1e-6);
        EXPECT_LT(test::difference(b.positions[static_cast<std::size_t>(v)], expected), 1e-6);
    }
}

// Scale is blended linearly, before the rigid part: half of 1 and half of 3 about (0, 1, 0).
TEST(DualQuaternion, BlendsScaleLinearly)
{
    Bar bar(SkinningMethod::dual_quaternion);
    const SkinnedMesh scaled = bar.with_upper(
        {{0, 1, 0}, glm::angleAxis(glm::radians(90.0f), glm::vec3(0, 0, 1)), glm::vec3(3, 3, 1)});
    // Matrices: I and x -> R (3 (x - p)) + p. Rigid parts: I and T(p - 3 R p) R, p = (0, 1, 0), so
    // t = (3, 1, 0). Blend: 45 degrees; for z turns 2 d q* = t/2 turned by -45 degrees ... over cos(45).
    const glm::dquat r = glm::angleAxis(glm::radians(90.0), glm::dvec3(0, 0, 1));
    const glm::dquat q = 0.5 * (glm::dquat(1, 0, 0, 0) + r);
    const glm::dquat d = 0.25 * (glm::dquat(0, 3, 1, 0) * r);
    const glm::dquat t = 2.0 * (d * glm::conjugate(q)) / glm::dot(q, q);
    for (std::size_t v = 4; v < 8; ++v) {
        const glm::dvec3 p = glm::dvec3(bar.scene.meshes[0].positions[v]) * glm::dvec3(2, 2, 1);
        const glm::dvec3 expected = glm::normalize(q) * p + glm::dvec3(t.x, t.y, t.z);
        EXPECT_LT(test::difference(scaled.positions[v], glm::vec3(expected)), 1e-6);
    }
}

TEST(DualQuaternion, BlendedIsBetweenBothMethods)
{
    Bar bar(SkinningMethod::blended);
    const SkinnedMesh linear = Bar(SkinningMethod::linear).at(0.8);
    const SkinnedMesh dual = Bar(SkinningMethod::dual_quaternion).at(0.8);
    EXPECT_EQ(bar.at(0.8).positions, linear.positions) << "no weights: linear";
    auto& shares = bar.scene.meshes[0].influences.dual_quaternion_weights;
    shares.assign(12, 0.0f);
    shares[4] = 1.0f;
    shares[5] = 0.25f;
    const SkinnedMesh mixed = bar.at(0.8);
    EXPECT_EQ(mixed.positions[6], linear.positions[6]);
    EXPECT_LT(test::difference(mixed.positions[4], dual.positions[4]), 1e-6);
    EXPECT_LT(test::difference(mixed.positions[5], 0.75f * linear.positions[5] + 0.25f * dual.positions[5]),
              1e-6);
}

// The blended rotation of weights that sum to zero is undefined: linear skinning is used.
TEST(DualQuaternion, CancellingWeightsAreSkinnedLinearly)
{
    Bar linear(SkinningMethod::linear), dual(SkinningMethod::dual_quaternion);
    for (Bar* bar : {&linear, &dual}) {
        auto& weights = bar->scene.meshes[0].influences.weights;
        weights[4] = 0.5f, weights[5] = -0.5f;
    }
    EXPECT_EQ(dual.at(0.5).positions[4], linear.at(0.5).positions[4]);
}

} // namespace
} // namespace vitrine::scene
