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

// "arm", whose translation and rotation belong to a helper above it.
void split_scale(Scene& scene)
{
    scene.nodes = {node_named("arm.unscaled"), node_named("arm", 0)};
    scene.nodes[0].helper_of = 1;
}

Channel scales(std::uint32_t node)
{
    Channel channel = moves(node);
    channel.path = Path::scale;
    return channel;
}

// Whether a file needs the helper depends on how its clips animate the scale.
TEST(BindAnimations, ResolvesHelpersOfBothFiles)
{
    for (const bool split_character : {false, true}) {
        for (const bool split_animation : {false, true}) {
            Scene scene, animation;
            scene.nodes = animation.nodes = {node_named("arm")};
            if (split_character) split_scale(scene);
            if (split_animation) split_scale(animation);
            const std::uint32_t arm = split_animation ? 1 : 0;
            animation.clips = {{.name = "wave", .duration = 1.0, .channels = {moves(0), scales(arm)}}};
            const auto result = bind_animations(scene, std::move(animation), "wave");
            EXPECT_EQ(result.dropped, 0u);
            ASSERT_EQ(scene.clips.size(), 1u);
            ASSERT_EQ(scene.clips[0].channels.size(), 2u);
            EXPECT_EQ(scene.clips[0].channels[0].node, 0u) << "the helper, if there is one";
            EXPECT_EQ(scene.clips[0].channels[1].node, split_character ? 1u : 0u);
        }
    }
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

TEST(BindAnimations, IgnoresCaseWhereNothingElseMatches)
{
    auto scene = character();
    scene.nodes.push_back(node_named("Arm"));
    auto animation = walk();
    animation.nodes[0].name = "HIPS";
    animation.nodes[1].name = "ARM";
    animation.nodes[2].name = "Arm";
    const auto result = bind_animations(scene, std::move(animation), "walk");
    ASSERT_EQ(result.bound, 3u);
    EXPECT_EQ(scene.clips[1].channels[0].node, 3u);
    EXPECT_EQ(scene.clips[1].channels[1].node, 2u) << "the joint comes first";
    EXPECT_EQ(scene.clips[1].channels[2].node, 4u) << "the same case";
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
