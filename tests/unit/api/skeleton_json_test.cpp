// Joints, their parents and the counts of their vertices.

#include <cstdint>

#include <gtest/gtest.h>

#include "api/hit_json.hpp"
#include "api/json_text.hpp"
#include "api/pose_json.hpp"
#include "api/scene_json.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/support/scenes.hpp"
#include "tests/support/work_count.hpp"

using namespace vitrine;

TEST(SceneJson, SkeletonHasParentsBindAndVertices)
{
    const auto skeleton = api::skeleton_json(test::skinned_bar());
    const auto& joints = skeleton.at("joints").as_array();
    ASSERT_EQ(joints.size(), 2u);
    EXPECT_EQ(joints[0].at("name"), "lower");
    EXPECT_TRUE(joints[0].at("parent").is_null());
    EXPECT_EQ(joints[0].at("vertices"), 8);
    EXPECT_EQ(joints[1].at("name"), "upper");
    EXPECT_EQ(joints[1].at("parent"), 0);
    EXPECT_EQ(joints[1].at("vertices"), 8);
    EXPECT_EQ(api::to_text(joints[1].at("local").at("translation")), "[0,1,0]");
    EXPECT_EQ(joints[1].at("bind").as_array()[13], 1.0);
    EXPECT_EQ(joints[1].at("inverseBind").as_array()[13], -1.0);
}

TEST(SceneJson, ParentJointsSkipHelperNodes)
{
    auto bar = test::skinned_bar();
    bar.skins[0].joints[0] = bar.skins[0].joints[1]; // "lower" is a helper node now
    EXPECT_EQ(api::joint_nodes(bar).size(), 1u);
    EXPECT_TRUE(api::skeleton_json(bar).at("joints").as_array()[0].at("parent").is_null());
}

// root <- "lower.unscaled" (translation) <- "lower" (scale); "upper" is a child of the helper, and the skin
// lists a copy of it.
scene::Scene helped_bar()
{
    auto scene = test::skinned_bar();
    const auto mesh = scene.nodes[2];
    scene::Node lower, unscaled, upper, copy;
    unscaled.name = "lower.unscaled";
    unscaled.local.translation = {0, 2, 0};
    unscaled.helper_of = 1;
    lower.name = "lower";
    lower.parent = 0;
    lower.local.scale = {3, 1, 1};
    upper.name = copy.name = "upper";
    upper.parent = 0;
    upper.local.translation = {0, 1, 0};
    copy.parent = 2;
    copy.helper_of = 2;
    scene.nodes = {unscaled, lower, upper, copy, mesh};
    scene.skins[0].joints = {1, 3};
    scene.clips[0].channels = {{.node = 0, .times = {0}, .values = {0, 2, 0}},
                               {.node = 1, .path = scene::Path::scale, .times = {0}, .values = {3, 1, 1}},
                               {.node = 2, .times = {0}, .values = {0, 1, 0}},
                               {.node = 3, .times = {0}, .values = {0, 1, 0}}};
    return scene;
}

TEST(SceneJson, HelperNodesAreHidden)
{
    const auto scene = helped_bar();
    ASSERT_TRUE(scene::validate(scene));
    const auto skeleton = api::skeleton_json(scene);
    const auto& joints = skeleton.at("joints").as_array();
    ASSERT_EQ(joints.size(), 2u);
    EXPECT_EQ(joints[0].at("name"), "lower");
    EXPECT_TRUE(joints[0].at("parent").is_null());
    EXPECT_EQ(api::to_text(joints[0].at("local").at("translation")), "[0,2,0]");
    EXPECT_EQ(api::to_text(joints[0].at("local").at("scale")), "[3,1,1]");
    EXPECT_EQ(joints[1].at("name"), "upper");
    EXPECT_EQ(joints[1].at("node"), 2) << "the node of the file, not its copy";
    EXPECT_EQ(joints[1].at("parent"), 0);
    EXPECT_EQ(joints[1].at("vertices"), 8) << "what the copy moves";
    EXPECT_EQ(api::count_contents(scene).joints, 2u);

    const auto rows = api::channels_json(scene, 0);
    ASSERT_EQ(rows.size(), 3u) << "the copy's channel is the original's once more";
    EXPECT_EQ(rows[0].at("node"), 1);
    EXPECT_EQ(rows[0].at("name"), "lower");
    EXPECT_EQ(rows[1].at("node"), 1);
    EXPECT_EQ(rows[2].at("name"), "upper");
    EXPECT_EQ(api::clip_json(scene, 0).at("channels"), 3);

    scene::Pose pose;
    scene::static_pose(scene, pose);
    const auto nodes = api::nodes_json(scene, pose);
    ASSERT_EQ(nodes.size(), 3u);
    EXPECT_EQ(nodes[0].at("index"), 0);
    EXPECT_EQ(nodes[0].at("node"), 1) << "the helper before it is not listed";
    EXPECT_EQ(api::to_text(nodes[0].at("local").at("translation")), "[0,2,0]");
    EXPECT_EQ(nodes[1].at("parent"), 0) << "the place of the parent of the file";
    EXPECT_EQ(nodes[1].at("model").as_array()[13], 3.0);

    const auto hit = api::hit_json(scene, scene::Hit{.node = 4, .mesh = 0, .joint = 3});
    EXPECT_EQ(hit.at("hit").at_pointer("/joint/node"), 2);
}

TEST(SceneJson, MovingNodesFollowTheJoints)
{
    auto scene = test::skinned_bar();
    scene.nodes.insert(scene.nodes.begin(), {.name = "carriage"});
    for (auto& node : scene.nodes)
        if (node.parent != scene::none) ++node.parent;
    scene.nodes[1].parent = 0;
    for (auto& joint : scene.skins[0].joints)
        ++joint;
    for (auto& channel : scene.clips[0].channels)
        ++channel.node;
    scene.nodes.push_back({.name = "tag_weapon", .parent = 2});
    scene.nodes.push_back({.name = "flash", .parent = 4});
    scene.clips[0].channels.push_back({.node = 0, .times = {0}, .values = {0, 0, 1}});
    scene.clips[0].channels.push_back({.node = 5, .times = {0}, .values = {0, 0, 1}});
    ASSERT_TRUE(scene::validate(scene));
    const auto kinds = [&] {
        std::string text;
        for (const auto& joint : api::skeleton_json(scene).at("joints").as_array())
            text += std::string(joint.at("name").as_string()) + ":" +
                    std::string(joint.at("kind").as_string()) + ":" + api::to_text(joint.at("parent")) + " ";
        return text;
    };
    EXPECT_EQ(kinds(), "lower:joint:null upper:joint:0 carriage:node:null flash:node:1 ");
    scene.format = "md3";
    EXPECT_EQ(kinds(), "lower:joint:null upper:joint:0 carriage:node:null tag_weapon:tag:1 flash:node:3 ");
    EXPECT_EQ(api::count_contents(scene).joints, 2u) << "they are no joints";
}

// A long chain of nodes that are not joints, above many joints.
TEST(SceneJson, ParentLookupIsLinearBelowLongChains)
{
    test::expect_nearly_linear("joints below a chain", 125, [](int n) {
        const auto count = static_cast<std::uint32_t>(n);
        auto scene = test::skinned_bar();
        auto& joints = scene.skins[0].joints;
        scene.nodes.resize(count, scene.nodes[0]);
        for (std::uint32_t i = 3; i < count; ++i)
            scene.nodes[i].parent = i - 1;
        scene.nodes[3].parent = 1;
        for (std::uint32_t i = 0; i < count; ++i) {
            joints.push_back(static_cast<std::uint32_t>(scene.nodes.size()));
            scene.nodes.push_back(scene.nodes[count - 1]);
        }
        scene.skins[0].inverse_bind.resize(joints.size(), glm::mat4(1.0f));
        const auto listed = api::skeleton_json(scene).at("joints").as_array();
        ASSERT_EQ(listed.size(), count + 2);
        EXPECT_EQ(listed[1].at("parent"), 0);
        EXPECT_EQ(listed[count + 1].at("parent"), 1);
    });
}

TEST(SceneJson, AnimationWithoutMeshListsEveryNode)
{
    scene::Scene scene;
    scene.nodes.resize(3);
    scene.nodes[1].parent = 0;
    scene.nodes[2].parent = 1;
    const auto skeleton = api::skeleton_json(scene);
    const auto& joints = skeleton.at("joints").as_array();
    ASSERT_EQ(joints.size(), 3u);
    EXPECT_EQ(joints[2].at("parent"), 1);
    EXPECT_TRUE(joints[2].at("bind").is_null());
}

// The joint is in JOINTS_0 and again in JOINTS_1, or a skin lists one node twice.
TEST(SceneJson, VertexCountsOncePerJoint)
{
    auto scene = test::skinned_bar();
    const auto count = [&](std::size_t joint) {
        return api::skeleton_json(scene)
            .at("joints")
            .as_array()
            .at(joint)
            .at("vertices")
            .to_number<std::uint64_t>();
    };
    auto& influences = scene.meshes[0].influences;
    const std::size_t vertices = scene.meshes[0].positions.size();
    const std::uint32_t node = scene.skins[0].joints.at(0);
    scene.skins[0].joints.push_back(node);
    scene.skins[0].inverse_bind.push_back(scene.skins[0].inverse_bind[0]);
    const auto last = static_cast<std::uint16_t>(scene.skins[0].joints.size() - 1);
    influences = {.first = {0}, .joints = {}, .weights = {}, .positions = {}};
    for (std::size_t v = 0; v < vertices; ++v) {
        influences.joints.insert(influences.joints.end(), {0, 1, 0, last});
        influences.weights.insert(influences.weights.end(), {0.25f, 0.0f, 0.25f, 0.5f});
        influences.first.push_back(static_cast<std::uint32_t>(influences.joints.size()));
    }
    ASSERT_TRUE(scene::validate(scene));
    EXPECT_EQ(count(0), vertices);
    EXPECT_EQ(count(1), 0u);
}

TEST(SceneJson, CountsJointsListedBySkins)
{
    scene::Scene alone;
    alone.nodes.resize(3);
    EXPECT_EQ(api::count_listed_joints(alone), 0u);
    alone.format = "md5";
    EXPECT_EQ(api::count_listed_joints(alone), 3u);

    auto bar = test::skinned_bar(); // a second instance of its skin, with separate joints
    const auto skin = bar.skins[0];
    auto drawn = *std::ranges::find_if(bar.nodes, [](const auto& node) { return node.mesh != scene::none; });
    drawn.skin = 1;
    bar.nodes.push_back(drawn);
    bar.nodes.resize(bar.nodes.size() + 2);
    const auto last = static_cast<std::uint32_t>(bar.nodes.size() - 1);
    bar.skins.push_back({.name = skin.name, .joints = {last - 1, last}, .inverse_bind = skin.inverse_bind});
    EXPECT_EQ(api::count_listed_joints(bar), 2u);
    bar.skins[1].inverse_bind[0][3].x = 5.0f; // another skin
    EXPECT_EQ(api::count_listed_joints(bar), 4u);

    auto more = test::skinned_bar(); // joints without influences
    more.nodes.emplace_back();
    more.skins.push_back({.name = "",
                          .joints = {static_cast<std::uint32_t>(more.nodes.size() - 1)},
                          .inverse_bind = {glm::mat4(1.0f)}});
    EXPECT_EQ(api::count_listed_joints(more), 3u);
    more.format = "fbx";
    EXPECT_EQ(api::count_listed_joints(more), 2u);
    EXPECT_EQ(api::joint_nodes(more).size(), 3u);
}
