#include "loaders/scene/preview/bone_geometry.hpp"

#include <gmock/gmock.h>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/preview/check_visibility.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::scene {
namespace {

using testing::ElementsAre;

std::uint32_t add_node(Scene& scene, const char* name, std::uint32_t parent, glm::vec3 place)
{
    Node node;
    node.name = name;
    node.parent = parent;
    node.local.translation = place;
    scene.nodes.push_back(node);
    return static_cast<std::uint32_t>(scene.nodes.size() - 1);
}

// root at the origin -> hips (0,1,0) -> head (0,2,0), and a camera that is a sibling of the hips.
Scene skeleton()
{
    Scene scene;
    const auto root = add_node(scene, "root", none, {});
    const auto hips = add_node(scene, "hips", root, {0, 1, 0});
    add_node(scene, "head", hips, {0, 1, 0});
    add_node(scene, "camera", root, {9, 0, 0});
    return scene;
}

void turn(Scene& scene, std::uint32_t node)
{
    Channel channel{.node = node, .path = Path::rotation, .times = {0.0f, 1.0f}, .values = {}};
    channel.values = {0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f};
    scene.clips.push_back({.name = "turn", .duration = 1.0, .channels = {channel}});
}

Aabb box_at(const Scene& scene, double time)
{
    Pose pose;
    sample_pose(scene, 0, time, pose);
    return pose_bounds(scene, pose);
}

TEST(BoneGeometry, ConnectsEachJointToItsChildren)
{
    auto scene = skeleton();
    turn(scene, 2);
    ASSERT_TRUE(is_skeleton_only(scene));
    const auto with_bones = with_bone_geometry(scene);
    ASSERT_TRUE(with_bones);
    EXPECT_TRUE(validate(*with_bones));
    EXPECT_EQ(with_bones->nodes[0].mesh, 0u);
    EXPECT_EQ(with_bones->nodes[1].mesh, 1u);
    EXPECT_NE(with_bones->nodes[2].mesh, none) << "the end of a chain";
    EXPECT_EQ(with_bones->nodes[3].mesh, none) << "not a joint";
    const auto box = box_at(*with_bones, 0.0);
    EXPECT_NEAR(box.min.y, 0.0f, 1e-5f);
    EXPECT_NEAR(box.max.y, 2.12f, 1e-3f);
    EXPECT_NEAR(box.max.x, 0.12f, 1e-3f);
}

TEST(BoneGeometry, FollowsTheJoints)
{
    auto scene = skeleton();
    turn(scene, 1); // the head swings from (0,2,0) to (-1,1,0)
    const auto with_bones = with_bone_geometry(scene);
    ASSERT_TRUE(with_bones);
    EXPECT_NEAR(box_at(*with_bones, 1.0).min.x, -1.12f, 1e-3f);
    EXPECT_EQ(with_bones->clips.size(), 1u);
}

TEST(BoneGeometry, UsesAllNodesIfNothingIsAnimated)
{
    const auto with_bones = with_bone_geometry(skeleton());
    ASSERT_TRUE(with_bones);
    EXPECT_EQ(with_bones->nodes[3].mesh, none) << "a childless node below the root is not a bone";
    EXPECT_NEAR(static_bounds(*with_bones).max.y, 2.12f, 1e-3f);
}

TEST(BoneGeometry, IgnoresChannelsThatMoveNoNode)
{
    auto scene = skeleton();
    turn(scene, 1);
    scene.clips[0].channels.push_back({.node = 2, .path = Path::weights, .times = {0.0f}, .values = {1.0f}});
    const auto with_bones = with_bone_geometry(scene);
    ASSERT_TRUE(with_bones);
    EXPECT_EQ(with_bones->clips[0].channels.size(), 1u);
}

TEST(BoneGeometry, RequiresASkeletonOnlySceneWithExtent)
{
    EXPECT_FALSE(with_bone_geometry(test::skinned_bar()));
    EXPECT_FALSE(with_bone_geometry(Scene{}));
    Scene still;
    add_node(still, "a", none, {5, 0, 0});
    add_node(still, "b", 0, {});
    EXPECT_FALSE(is_skeleton_only(still));
}

void skin_of(Scene& scene, std::vector<std::uint32_t> joints)
{
    scene.skins.resize(1);
    scene.skins[0].inverse_bind.resize(joints.size(), glm::mat4(1.0f));
    scene.skins[0].joints = std::move(joints);
}

TEST(BoneGeometry, ShowsALoneJointInAFixedSize)
{
    Scene scene;
    add_node(scene, "alone", none, {3, 0, 0});
    EXPECT_FALSE(is_skeleton_only(scene)) << "a node, not a joint";
    skin_of(scene, {0});
    scene.nodes[0].local.scale = glm::vec3(100.0f);
    ASSERT_TRUE(is_skeleton_only(scene));
    const auto shown = with_bone_geometry(scene);
    ASSERT_TRUE(shown);
    EXPECT_TRUE(validate(*shown));
    const auto box = static_bounds(*shown);
    EXPECT_NEAR(box.size().y, 0.1f, 1e-4f) << "whatever its scale";
    EXPECT_NEAR(box.center().x, 3.0f, 1e-4f);
    EXPECT_EQ(check_visibility(*shown), SceneVisibility::something);
}

TEST(BoneGeometry, SizesLoneJointsByTheirExtent)
{
    Scene scene;
    add_node(scene, "handle", none, {});
    add_node(scene, "muzzle", none, {0, 2, 0});
    skin_of(scene, {0, 1});
    const auto shown = with_bone_geometry(scene);
    ASSERT_TRUE(shown);
    EXPECT_NE(shown->nodes[0].mesh, none);
    EXPECT_NE(shown->nodes[1].mesh, none);
    EXPECT_NEAR(static_bounds(*shown).min.y, -0.12f, 1e-4f);
    EXPECT_NEAR(static_bounds(*shown).max.y, 2.12f, 1e-4f);
}

TEST(BoneGeometry, SizesALoneJointByItsPath)
{
    Scene scene;
    add_node(scene, "ball", none, {});
    Channel channel{.node = 0, .path = Path::translation, .times = {0.0f, 1.0f}, .values = {}};
    channel.values = {0, 0, 0, 10, 0, 0};
    scene.clips.push_back({.name = "roll", .duration = 1.0, .channels = {channel}});
    const auto shown = with_bone_geometry(scene);
    ASSERT_TRUE(shown);
    EXPECT_NEAR(box_at(*shown, 1.0).max.x, 10.6f, 1e-4f);
}

TEST(BoneGeometry, ShowsALoneJointBesideBones)
{
    auto scene = skeleton();
    const auto prop = add_node(scene, "prop", none, {4, 0, 0});
    skin_of(scene, {0, 1, 2, prop});
    const auto shown = with_bone_geometry(scene);
    ASSERT_TRUE(shown);
    EXPECT_EQ(shown->nodes[3].mesh, none) << "not a joint";
    ASSERT_NE(shown->nodes[prop].mesh, none);
    EXPECT_NEAR(static_bounds(*shown).max.x, 4.3f, 1e-4f) << "of the width of a wide bone";
}

// Bones without length: one octahedron where all joints are.
TEST(BoneGeometry, ShowsJointsInOnePlace)
{
    Scene scene;
    add_node(scene, "a", none, {5, 0, 0});
    add_node(scene, "b", 0, {});
    skin_of(scene, {0, 1});
    const auto shown = with_bone_geometry(scene);
    ASSERT_TRUE(shown);
    EXPECT_NE(shown->nodes[0].mesh, none);
    EXPECT_EQ(shown->nodes[1].mesh, none);
}

TEST(SkeletonJoints, ComeFromSkinsOrFromClips)
{
    auto scene = skeleton();
    std::vector<bool> joints;
    mark_skeleton_joints(scene, joints);
    EXPECT_THAT(joints, ElementsAre(false, false, false, false));
    turn(scene, 1);
    mark_skeleton_joints(scene, joints);
    EXPECT_THAT(joints, ElementsAre(true, true, false, false));
    scene.skins.resize(1);
    scene.skins[0].joints = {2};
    mark_skeleton_joints(scene, joints);
    EXPECT_THAT(joints, ElementsAre(false, false, true, false));
}

} // namespace
} // namespace vitrine::scene
