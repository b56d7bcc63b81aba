// Which surfaces are drawn as blended.

#include <gtest/gtest.h>

#include "vk_renderer/scene/alpha_modes.hpp"

namespace vitrine::render {
namespace {

using scene::AlphaMode;

// One triangle of vertices 0, 1, 2 of four.
scene::Scene triangle(AlphaMode mode)
{
    scene::Scene scene;
    scene.materials.resize(1);
    scene.materials[0].alpha_mode = mode;
    scene.images = {{.name = "two", .width = 2, .height = 1, .pixels = {9, 9, 9, 255, 9, 9, 9, 255}}};
    scene::Mesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    mesh.normals.assign(4, {0, 0, 1});
    mesh.indices = {0, 1, 2};
    mesh.primitives = {{.count = 3, .material = 0}};
    scene.meshes = {mesh};
    return scene;
}

AlphaMode mode_of(const scene::Scene& scene)
{
    return AlphaModes(scene).of(0, 0);
}

TEST(AlphaModes, BlendOfAlphaOneIsOpaque)
{
    auto scene = triangle(AlphaMode::blend);
    EXPECT_EQ(mode_of(scene), AlphaMode::opaque);
    scene.materials[0].base_color_texture.image = 0;
    EXPECT_EQ(mode_of(scene), AlphaMode::opaque);
    scene.meshes[0].colors.assign(4, glm::vec4(0.5f, 0.5f, 0.5f, 1.0f));
    EXPECT_EQ(mode_of(scene), AlphaMode::opaque);
    scene.images[0].pixels.clear(); // could not be decoded
    EXPECT_EQ(mode_of(scene), AlphaMode::opaque);
}

TEST(AlphaModes, OneAlphaBelowOneBlends)
{
    auto factor = triangle(AlphaMode::blend);
    factor.materials[0].base_color.w = 0.99f;
    EXPECT_EQ(mode_of(factor), AlphaMode::blend);
    auto texel = triangle(AlphaMode::blend);
    texel.images[0].pixels[7] = 254;
    EXPECT_EQ(mode_of(texel), AlphaMode::opaque) << "the texture is not the material's";
    texel.materials[0].base_color_texture.image = 0;
    EXPECT_EQ(mode_of(texel), AlphaMode::blend);
    auto colors = triangle(AlphaMode::blend);
    colors.meshes[0].colors.assign(4, glm::vec4(1.0f));
    colors.meshes[0].colors[3].w = 0.0f;
    EXPECT_EQ(mode_of(colors), AlphaMode::opaque) << "the primitive does not show the vertex";
    colors.meshes[0].colors[1].w = 0.5f;
    EXPECT_EQ(mode_of(colors), AlphaMode::blend);
}

TEST(AlphaModes, ATranslucentNodeBlends)
{
    auto scene = triangle(AlphaMode::blend);
    scene.nodes.resize(2);
    scene.nodes[0].mesh = scene.nodes[1].mesh = 0;
    EXPECT_EQ(mode_of(scene), AlphaMode::opaque);
    scene.nodes[1].color.w = 0.5f;
    EXPECT_EQ(mode_of(scene), AlphaMode::blend);
}

TEST(AlphaModes, OtherModesStay)
{
    for (const auto mode : {AlphaMode::opaque, AlphaMode::mask}) {
        auto scene = triangle(mode);
        scene.materials[0].base_color.w = 0.5f;
        EXPECT_EQ(mode_of(scene), mode);
    }
    auto scene = triangle(AlphaMode::blend);
    scene.meshes[0].primitives[0].material = scene::none;
    EXPECT_EQ(mode_of(scene), AlphaMode::opaque);
}

} // namespace
} // namespace vitrine::render
