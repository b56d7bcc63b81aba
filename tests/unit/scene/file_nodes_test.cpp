#include "loaders/scene/motion/file_nodes.hpp"

#include <gmock/gmock.h>

#include "loaders/scene/preview/bone_geometry.hpp"

namespace vitrine::scene {
namespace {

using testing::ElementsAre;

Node node_at(const char* name, std::uint32_t parent, glm::vec3 place, std::uint32_t helper_of = none)
{
    Node node;
    node.name = name;
    node.parent = parent;
    node.local.translation = place;
    node.helper_of = helper_of;
    return node;
}

// hip > knee > foot; all except the last have their scale in a separate node, which is the node of the file;
// children are attached to the helper above it.
Scene leg()
{
    Scene scene;
    scene.nodes = {node_at("hip.unscaled", none, {0, 4, 0}, 1),
                   node_at("hip", 0, {}),
                   node_at("knee.unscaled", 0, {0, -2, 0}, 3),
                   node_at("knee", 2, {}),
                   node_at("foot", 2, {0, -1, 0}),
                   node_at("foot.mesh", 4, {1, 1, 1}, 4)};
    scene.nodes[1].local.scale = {2, 1, 1};
    scene.nodes[2].local.rotation = glm::angleAxis(glm::radians(90.0f), glm::vec3(0, 0, 1));
    return scene;
}

TEST(FileNodes, ReturnsParentsInTheFile)
{
    const auto scene = leg();
    EXPECT_THAT(file_parents(scene), ElementsAre(none, none, 1u, 1u, 3u, 4u));
    EXPECT_EQ(file_node(scene, 0), 1u);
    EXPECT_EQ(file_node(scene, 4), 4u);
    EXPECT_EQ(file_node(scene, 5), 4u);
}

TEST(FileNodes, LocalTransformsIncludeHelpers)
{
    const auto scene = leg();
    const Trs hip = file_local(scene, nullptr, 1);
    EXPECT_EQ(hip.translation, glm::vec3(0, 4, 0));
    EXPECT_EQ(hip.scale, glm::vec3(2, 1, 1));
    const Trs knee = file_local(scene, nullptr, 3);
    EXPECT_EQ(knee.translation, glm::vec3(0, -2, 0));
    EXPECT_EQ(knee.rotation, scene.nodes[2].local.rotation);
    EXPECT_EQ(file_local_matrix(scene, nullptr, 1), to_matrix(hip));
    Pose pose;
    static_pose(scene, pose);
    pose.local[0].translation = {7, 7, 7};
    EXPECT_EQ(file_local(scene, &pose, 1).translation, glm::vec3(7, 7, 7));
}

// A scale above the last part of a transform can skew it.
TEST(FileNodes, LocalMatricesMayBeSkewed)
{
    auto scene = leg();
    scene.nodes[0].local.scale = {1, 3, 1};
    scene.nodes[1].local.rotation = glm::angleAxis(glm::radians(30.0f), glm::vec3(0, 0, 1));
    EXPECT_EQ(file_local_matrix(scene, nullptr, 1),
              to_matrix(scene.nodes[0].local) * to_matrix(scene.nodes[1].local));
    EXPECT_FALSE(is_split_scale(scene, 1));
    EXPECT_TRUE(is_split_scale(scene, 3));
    EXPECT_FALSE(is_split_scale(scene, 4));
}

TEST(FileNodes, MapsChannelsToNodesOfTheFile)
{
    const auto scene = leg();
    const auto moves = [&](std::uint32_t node, Path path) {
        return channel_node(scene, {.node = node, .path = path, .times = {}, .values = {}});
    };
    EXPECT_EQ(moves(0, Path::rotation), 1u);
    EXPECT_EQ(moves(1, Path::scale), 1u);
    EXPECT_EQ(moves(5, Path::weights), 4u);
    EXPECT_EQ(moves(5, Path::scale), none) << "a helper that only compensates";
}

TEST(FileNodes, SkeletonJointsAreNodesOfTheFile)
{
    auto scene = leg();
    std::vector<bool> joints;
    scene.skins.push_back({.name = "s", .joints = {1, 3, 5}, .inverse_bind = {}});
    mark_skeleton_joints(scene, joints);
    EXPECT_THAT(joints, ElementsAre(false, true, false, true, true, false));
    scene.skins.clear();
    scene.clips.push_back({.name = "c", .channels = {{.node = 2, .times = {0}, .values = {0, 0, 0}}}});
    mark_skeleton_joints(scene, joints);
    EXPECT_THAT(joints, ElementsAre(false, true, false, true, false, false));
}

TEST(FileNodes, BonesConnectNodesOfTheFile)
{
    auto scene = leg();
    scene.nodes[1].local.scale = {1, 2, 1};
    const auto shown = with_bone_geometry(scene);
    ASSERT_TRUE(shown);
    for (const std::uint32_t helper : {0u, 2u, 5u})
        EXPECT_EQ(shown->nodes[helper].mesh, none) << helper;
    const auto& hip = shown->meshes.at(shown->nodes[1].mesh);
    float lowest = 0.0f;
    for (const auto& p : hip.positions)
        lowest = std::min(lowest, p.y);
    EXPECT_FLOAT_EQ(lowest, -1.0f) << "the knee is at distance 2, in a space scaled by 2";
}

} // namespace
} // namespace vitrine::scene
