#include "loaders/scene/bounds/joint_boxes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/motion/sampling.hpp"
#include "loaders/scene/skinning/skinner.hpp"
#include "loaders/scene/skinning/skinning.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/plain_loops.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/sampled_bounds.hpp"
#include "tests/support/scenes.hpp"
#include "tests/unit/scene/expect_box.hpp"

namespace vitrine::scene {
namespace {
TEST(JointBoxes, CoverTheVerticesOfEachJoint)
{
    const Scene scene = test::skinned_bar();
    const JointBoxes boxes = joint_boxes(scene);
    ASSERT_EQ(boxes.boxes.size(), 3u);
    expect_box(boxes.boxes[0], {-0.1f, 0, -0.1f}, {0.1f, 1, 0.1f});
    expect_box(boxes.boxes[1], {-0.1f, 1, -0.1f}, {0.1f, 2, 0.1f});
    EXPECT_TRUE(boxes.boxes[2].empty());
    Pose pose;
    sample_pose(scene, 0, 1.0, pose);
    const std::vector<Aabb> moved = joint_bounds(scene, boxes, pose);
    expect_box(moved[1], {-1, 0.9f, -0.1f}, {0, 1.1f, 0.1f});
    EXPECT_TRUE(moved[2].empty());
}

// Meshes without morph targets and frames take a shorter way.
TEST(JointBoxes, AreUnchangedByAMorphTargetWithoutVertices)
{
    for (std::uint32_t seed = 0; seed < 8; ++seed) {
        Scene scene = test::random_scene(seed, {.normalized_weights = seed % 2 == 0});
        scene.clips.clear();
        test::remove_shapes(scene);
        const JointBoxes boxes = joint_boxes(scene);
        for (Mesh& mesh : scene.meshes) {
            mesh.morph_targets.resize(1);
            mesh.morph_weights.resize(1);
        }
        const JointBoxes others = joint_boxes(scene);
        ASSERT_EQ(boxes.boxes.size(), others.boxes.size());
        for (std::size_t i = 0; i < boxes.boxes.size(); ++i) {
            EXPECT_EQ(boxes.boxes[i].min, others.boxes[i].min);
            EXPECT_EQ(boxes.boxes[i].max, others.boxes[i].max);
        }
        for (std::size_t i = 0; i < boxes.remainders.size(); ++i) {
            EXPECT_EQ(boxes.remainders[i].vertices, others.remainders[i].vertices);
            EXPECT_EQ(boxes.remainders[i].min_sum, others.remainders[i].min_sum);
            EXPECT_EQ(boxes.remainders[i].max_sum, others.remainders[i].max_sum);
        }
    }
}

TEST(JointBoxes, IncludeMorphTargetsWithOvershoot)
{
    Scene scene = test::morphing_quad();
    expect_box(joint_boxes(scene).boxes[0], {-0.5f, -0.5f, 0}, {0.5f, 1.5f, 1});
    // A cubic from 0 to 0 with the slopes 3 and -3 reaches 0.75; its control points give at most 1.
    scene.clips[0].channels[0].interpolation = Interpolation::cubic;
    scene.clips[0].channels[0].values = {0, 0, 0, 0, 3, 0, -3, 0, 0, 0, 0, 0};
    const Aabb box = joint_boxes(scene).boxes[0];
    EXPECT_GE(box.max.y, 0.5f + 0.75f);
    EXPECT_LE(box.max.y, 0.5f + 1.0f + 1e-5f);
}

// The main guarantee of the module, for any weights.
TEST(ConservativeBounds, ContainExactOnesInRandomScenes)
{
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        const auto method = static_cast<SkinningMethod>(seed / 2 % 3);
        const test::RandomSceneOptions options{.normalized_weights = seed % 3 == 0,
                                               .own_positions =
                                                   method == SkinningMethod::linear && seed % 2 == 1,
                                               .skinning = method,
                                               .extrapolated = seed % 4 == 3};
        const Scene scene = test::random_scene(seed, options);
        const auto valid = validate(scene);
        ASSERT_TRUE(valid.has_value()) << valid.error().where << " " << valid.error().detail;
        const JointBoxes boxes = joint_boxes(scene);
        Pose pose;
        static_pose(scene, pose);
        EXPECT_TRUE(conservative_bounds(scene, boxes, pose).contains(pose_bounds(scene, pose)))
            << "seed " << seed;
        for (int i = -2; i < 40; ++i) {
            sample_pose(scene, 0, i * 0.05, pose);
            const Aabb conservative = conservative_bounds(scene, boxes, pose);
            const Aabb exact = pose_bounds(scene, pose);
            EXPECT_TRUE(conservative.contains(exact)) << "seed " << seed << " at " << i * 0.05;
            EXPECT_TRUE(options.extrapolated ||
                        glm::length(exact.size()) < 1000.0f); // the unused vertex at 1000 is not included
        }
    }
}

// Half way through a half turn, dual quaternions move the ring out of the hull of both joints' boxes.
TEST(ConservativeBounds, CoverTheArcOfDualQuaternions)
{
    Scene scene = test::skinned_bar();
    scene.skins[0].method = SkinningMethod::dual_quaternion;
    scene.nodes[1].local.translation = {3, 1, 0};
    scene.nodes[1].local.rotation = glm::angleAxis(3.0f, glm::vec3(0, 0, 1));
    Pose pose;
    static_pose(scene, pose);
    const Aabb exact = pose_bounds(scene, pose);
    EXPECT_TRUE(conservative_bounds(scene, joint_boxes(scene), pose).contains(exact));
    scene.skins[0].method = SkinningMethod::linear;
    EXPECT_FALSE(conservative_bounds(scene, joint_boxes(scene), pose).contains(exact))
        << "the scene must exceed the linear bounds";
}

TEST(JointBoxes, IncludeExtrapolatedMorphWeights)
{
    for (const auto mode : {ExtrapolationMode::slope, ExtrapolationMode::repeat_offset}) {
        Scene scene = test::morphing_quad();
        scene.clips[0].duration = 4.5;
        scene.clips[0].channels[0].after.mode = mode;
        const Aabb box = joint_boxes(scene).boxes[0];
        EXPECT_GE(box.max.y, 0.5f + 4.5f);
        EXPECT_LE(box.max.y, 0.5f + 5.0f + 1e-5f);
    }
}

// Single-precision blending, as on a GPU, must stay inside, too.
TEST(ConservativeBounds, LeaveRoomForSinglePrecision)
{
    const Scene scene = test::random_scene(3, {.normalized_weights = true, .own_positions = false});
    const JointBoxes boxes = joint_boxes(scene);
    Pose pose;
    sample_pose(scene, 0, 0.7, pose);
    const Aabb tight = pose_bounds(scene, pose), wide = conservative_bounds(scene, boxes, pose);
    EXPECT_TRUE(glm::all(glm::lessThan(wide.min, tight.min)));
    EXPECT_TRUE(glm::all(glm::greaterThan(wide.max, tight.max)));
}

} // namespace
} // namespace vitrine::scene
