#include "loaders/scene/motion/bind_animations.hpp"

#include <gtest/gtest.h>

namespace vitrine::scene {
namespace {

Node node_named(const char* name, std::uint32_t parent = none)
{
    Node node;
    node.name = name;
    node.parent = parent;
    return node;
}

// Two nodes named "hips": a plain node, then the joint.
Scene character()
{
    Scene scene;
    scene.nodes = {node_named("Group"), node_named("hips", 0), node_named("rig:arm"), node_named("hips", 2)};
    Skin skin;
    skin.joints = {2, 3};
    skin.inverse_bind = {glm::mat4(1.0f), glm::mat4(1.0f)};
    scene.skins = {skin};
    scene.clips.resize(1);
    scene.clips[0].name = "rest";
    return scene;
}

Channel moves(std::uint32_t node)
{
    return {.node = node, .path = Path::translation, .times = {0.0f}, .values = {1.0f, 2.0f, 3.0f}};
}

Scene walk()
{
    Scene scene;
    scene.nodes = {node_named("hips"), node_named("mixamorig:arm"), node_named("tail")};
    scene.clips = {{.name = "Take 001", .duration = 1.0, .channels = {moves(0), moves(1), moves(2)}}};
    return scene;
}

TEST(BindAnimations, BindsByNameAndPrefersJoints)
{
    auto scene = character();
    const auto result = bind_animations(scene, walk(), "walk");
    ASSERT_EQ(scene.clips.size(), 2u);
    const auto& clip = scene.clips[1];
    EXPECT_EQ(clip.name, "walk");
    EXPECT_EQ(clip.duration, 1.0);
    ASSERT_EQ(clip.channels.size(), 2u);
    EXPECT_EQ(clip.channels[0].node, 3u) << "the joint, not the node of the same name before it";
    EXPECT_EQ(clip.channels[1].node, 2u) << "another namespace";
    EXPECT_EQ(clip.channels[1].values, moves(0).values);
    EXPECT_EQ(result.clips, 1u);
    EXPECT_EQ(result.bound, 2u);
    EXPECT_EQ(result.dropped, 1u);
    EXPECT_EQ(result.first_missing_node, "tail");
}

TEST(BindAnimations, KeepsTheNamesOfSeveralClips)
{
    auto scene = character();
    auto animation = walk();
    animation.clips.push_back(animation.clips[0]);
    animation.clips[1].name = "run";
    bind_animations(scene, std::move(animation), "moves");
    ASSERT_EQ(scene.clips.size(), 3u);
    EXPECT_EQ(scene.clips[1].name, "moves: Take 001");
    EXPECT_EQ(scene.clips[2].name, "moves: run");
}

TEST(BindAnimations, DropsClipsOfOtherCharacters)
{
    auto scene = character();
    auto animation = walk();
    for (auto& node : animation.nodes)
        node.name += "x";
    const auto result = bind_animations(scene, std::move(animation), "walk");
    EXPECT_EQ(scene.clips.size(), 1u);
    EXPECT_EQ(result.clips, 0u);
    EXPECT_EQ(result.dropped, 3u);
    EXPECT_EQ(result.first_missing_node, "hipsx");
}

TEST(BindAnimations, BindsOnlyChannelsThatFit)
{
    auto scene = character();
    scene.nodes[3].matrix = glm::mat4(1.0f);
    scene.nodes[2].mesh = 0;
    scene.meshes.resize(1);
    scene.meshes[0].morph_targets.resize(2);
    auto animation = walk();
    const Channel two{.node = 1, .path = Path::weights, .times = {0.0f}, .values = {0.5f, 1.0f}};
    const Channel three{.node = 1, .path = Path::weights, .times = {0.0f}, .values = {0.5f, 1.0f, 0.0f}};
    const Channel frame{.node = 1, .path = Path::vertex_frame, .times = {0.0f}, .values = {0.0f}};
    animation.clips[0].channels = {moves(0), three, two, frame};
    const auto result = bind_animations(scene, std::move(animation), "walk");
    ASSERT_EQ(scene.clips.back().channels.size(), 1u);
    EXPECT_EQ(scene.clips.back().channels[0].values, two.values);
    EXPECT_EQ(result.dropped, 3u);
}

} // namespace
} // namespace vitrine::scene
