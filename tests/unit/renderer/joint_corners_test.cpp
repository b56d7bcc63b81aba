#include "vk_renderer/scene/joint_corners.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "loaders/scene/bounds/bounds.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::render {
namespace {

// The box of the corners in a pose.
scene::Aabb box_in_pose(const scene::Scene& scene, const OrientedBox& joint, std::uint32_t clip, double time)
{
    scene::Pose pose;
    scene::sample_pose(scene, clip, time, pose);
    const auto instances = scene::find_instances(scene);
    std::vector<scene::PaletteEntry> palette(scene::palette_size(instances));
    scene::joint_palette(scene, instances, pose, palette);
    scene::Aabb box;
    for (const auto& corner : joint.corners)
        box.add(test::transform(palette[joint.entry], corner));
    return box;
}

TEST(JointCorners, EnclosesTheVerticesThatAJointMovesMost)
{
    auto scene = test::skinned_bar();
    auto& weights = scene.meshes[0].influences.weights; // the middle ring follows the upper joint more
    for (std::size_t i = 4; i < 12; i += 2) {
        weights[i] = 0.25f;
        weights[i + 1] = 0.75f;
    }
    const auto joints = joint_corners(scene, scene::find_instances(scene));
    ASSERT_EQ(joints.size(), 2u);
    EXPECT_EQ(joints[0].node, 1u) << "that of more vertices first";
    const auto upper = box_in_pose(scene, joints[0], 0, 0.0);
    EXPECT_LT(test::difference(upper, {{-0.1f, 1, -0.1f}, {0.1f, 2, 0.1f}}), 1e-5);
    const auto bent = box_in_pose(scene, joints[0], 0, 1.0); // by 90 degrees about (0, 1, 0)
    EXPECT_LT(test::difference(bent, {{-1, 0.9f, -0.1f}, {0, 1.1f, 0.1f}}), 1e-5);
    const auto lower = box_in_pose(scene, joints[1], 0, 1.0);
    EXPECT_LT(test::difference(lower, {{-0.1f, 0, -0.1f}, {0.1f, 0, 0.1f}}), 1e-5);
}

TEST(JointCorners, LiesAlongTheAxesOfTheJoint)
{
    auto scene = test::skinned_bar();
    const auto turn = glm::angleAxis(glm::radians(45.0f), glm::vec3(0, 0, 1));
    scene.nodes[0].local.rotation = turn;
    scene.nodes[1].local.translation = glm::inverse(turn) * glm::vec3(0, 1, 0);
    scene.nodes[1].local.rotation = glm::inverse(turn);
    scene.skins[0].inverse_bind[0] = glm::mat4_cast(glm::inverse(turn));
    const auto joints = joint_corners(scene, scene::find_instances(scene));
    const auto lower = std::ranges::find(joints, 0u, &OrientedBox::node);
    ASSERT_NE(lower, joints.end());
    const auto edge = glm::normalize(lower->corners[1] - lower->corners[0]);
    EXPECT_LT(test::difference(edge, turn * glm::vec3(1, 0, 0)), 1e-5);
}

TEST(JointCorners, NodesWithRigidMeshesAreJoints)
{
    const auto cube = test::textured_cube();
    const auto joints = joint_corners(cube, scene::find_instances(cube));
    ASSERT_EQ(joints.size(), 1u);
    EXPECT_LT(test::difference(box_in_pose(cube, joints[0], scene::none, 0.0), scene::static_bounds(cube)),
              1e-6);
    const auto frames = test::vertex_frame_triangle();
    EXPECT_TRUE(joint_corners(frames, scene::find_instances(frames)).empty());
    auto flat = test::skinned_bar();
    flat.skins[0].inverse_bind[0] = glm::mat4(0.0f); // no inverse
    EXPECT_EQ(joint_corners(flat, scene::find_instances(flat)).size(), 1u);
}

} // namespace
} // namespace vitrine::render
