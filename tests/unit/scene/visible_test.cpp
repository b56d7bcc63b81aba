#include "loaders/scene/visible.hpp"

#include <gtest/gtest.h>

#include "tests/support/scenes.hpp"

namespace vitrine::test {
namespace {

using scene::Visible;

TEST(Visible, WhatHasExtentIsSeen)
{
    EXPECT_EQ(scene::what_is_seen(skinned_bar()), Visible::something);
    EXPECT_EQ(scene::what_is_seen(textured_cube()), Visible::something);
    EXPECT_EQ(scene::what_is_seen(morphing_quad()), Visible::something);
}

TEST(Visible, NothingIsSeenWithoutElements)
{
    EXPECT_EQ(scene::what_is_seen({}), Visible::no_elements);
    auto hidden = textured_cube();
    for (auto& node : hidden.nodes)
        node.visible = false;
    EXPECT_EQ(scene::what_is_seen(hidden), Visible::no_elements);
}

TEST(Visible, NothingIsSeenOfTrianglesThatAreLinesOrPoints)
{
    auto scene = textured_cube();
    for (auto& position : scene.meshes[0].positions)
        position = {position.x, 0.0f, 0.0f};
    EXPECT_EQ(scene::what_is_seen(scene), Visible::no_area);
    scene.meshes[0].positions.assign(scene.meshes[0].positions.size(), {700.0f, 3.0f, 1.0f});
    EXPECT_EQ(scene::what_is_seen(scene), Visible::no_area);
    scene.meshes[0].primitives[0].topology = scene::Topology::points;
    EXPECT_EQ(scene::what_is_seen(scene), Visible::something);
}

TEST(Visible, WhatANodeFlattensIsNotSeen)
{
    auto scene = textured_cube();
    scene.nodes.back().local.scale = glm::vec3(0.0f);
    EXPECT_EQ(scene::what_is_seen(scene), Visible::no_area);
    auto bar = skinned_bar();
    bar.nodes[0].local.scale = glm::vec3(0.0f);
    EXPECT_EQ(scene::what_is_seen(bar), Visible::no_area);
}

TEST(Visible, WhatAClipUnfoldsIsSeen)
{
    auto bar = skinned_bar();
    bar.nodes[0].local.scale = glm::vec3(0.0f);
    bar.clips[0].channels.push_back(
        {.node = 0, .path = scene::Path::scale, .times = {0.0f, 1.0f}, .values = {0, 0, 0, 1, 1, 1}});
    EXPECT_EQ(scene::what_is_seen(bar), Visible::something);
}

TEST(Visible, NothingIsSeenOfWhatLetsAllLightThrough)
{
    auto scene = textured_cube();
    for (auto& material : scene.materials) {
        material.base_colour.w = 0.0f;
        material.alpha_mode = scene::AlphaMode::blend;
    }
    EXPECT_EQ(scene::what_is_seen(scene), Visible::transparent);
    for (auto& material : scene.materials)
        material.alpha_mode = scene::AlphaMode::opaque;
    EXPECT_EQ(scene::what_is_seen(scene), Visible::something);
}

} // namespace
} // namespace vitrine::test
