#include "loaders/scene/preview/check_visibility.hpp"

#include <gtest/gtest.h>

#include "tests/support/scenes.hpp"
#include "tests/support/work_count.hpp"

namespace vitrine::test {
namespace {

using scene::SceneVisibility;

TEST(CheckVisibility, AcceptsElementsWithExtent)
{
    EXPECT_EQ(scene::check_visibility(skinned_bar()), SceneVisibility::something);
    EXPECT_EQ(scene::check_visibility(textured_cube()), SceneVisibility::something);
    EXPECT_EQ(scene::check_visibility(morphing_quad()), SceneVisibility::something);
}

TEST(CheckVisibility, DetectsScenesWithoutElements)
{
    EXPECT_EQ(scene::check_visibility({}), SceneVisibility::no_elements);
    auto hidden = textured_cube();
    for (auto& node : hidden.nodes)
        node.visible = false;
    EXPECT_EQ(scene::check_visibility(hidden), SceneVisibility::no_elements);
}

TEST(CheckVisibility, DetectsDegenerateTriangles)
{
    auto scene = textured_cube();
    for (auto& position : scene.meshes[0].positions)
        position = {position.x, 0.0f, 0.0f};
    EXPECT_EQ(scene::check_visibility(scene), SceneVisibility::no_area);
    scene.meshes[0].positions.assign(scene.meshes[0].positions.size(), {700.0f, 3.0f, 1.0f});
    EXPECT_EQ(scene::check_visibility(scene), SceneVisibility::no_area);
    scene.meshes[0].primitives[0].topology = scene::Topology::points;
    EXPECT_EQ(scene::check_visibility(scene), SceneVisibility::something);
}

// A sheet of cells, each much smaller than the whole.
scene::Scene sheet(std::uint32_t along, std::uint32_t across, glm::vec2 size, glm::vec3 origin = {})
{
    auto scene = textured_cube();
    auto& mesh = scene.meshes[0];
    mesh = scene::Mesh{};
    for (std::uint32_t y = 0; y <= across; ++y)
        for (std::uint32_t x = 0; x <= along; ++x)
            mesh.positions.push_back(origin + glm::vec3(size.x * float(x) / float(along), 0.0f,
                                                        size.y * float(y) / float(across)));
    mesh.normals.assign(mesh.positions.size(), {0.0f, 1.0f, 0.0f});
    for (std::uint32_t y = 0; y < across; ++y)
        for (std::uint32_t x = 0; x < along; ++x) {
            const std::uint32_t at = y * (along + 1) + x;
            mesh.indices.insert(mesh.indices.end(), {at, at + 1, at + along + 1});
        }
    mesh.primitives = {{.first = 0, .count = static_cast<std::uint32_t>(mesh.indices.size())}};
    return scene;
}

TEST(CheckVisibility, AcceptsDenseMeshesAndThinStrips)
{
    EXPECT_EQ(scene::check_visibility(sheet(1200, 1200, {1.0f, 1.0f})), SceneVisibility::something);
    EXPECT_EQ(scene::check_visibility(sheet(3000, 1, {100.0f, 0.01f})), SceneVisibility::something);
    EXPECT_EQ(scene::check_visibility(sheet(100, 100, {1e-8f, 1e-8f})), SceneVisibility::something);
    EXPECT_EQ(scene::check_visibility(sheet(100, 100, {100.0f, 100.0f}, {1e5f, 0.0f, 1e5f})),
              SceneVisibility::something);
    EXPECT_EQ(scene::check_visibility(sheet(100, 1, {1.0f, 0.0f}, {3e3f, 7e3f, 1e3f})),
              SceneVisibility::no_area);
}

TEST(CheckVisibility, IgnoresExtentCausedByRounding)
{
    auto scene = sheet(1000, 1, {1.0f, 0.0f});
    for (auto& position : scene.meshes[0].positions)
        position = {position.x * 7.3f, position.x * 0.37f, position.x * 1.9f};
    EXPECT_EQ(scene::check_visibility(scene), SceneVisibility::no_area);
}

TEST(CheckVisibility, DetectsMeshesCollapsedByANode)
{
    auto scene = textured_cube();
    scene.nodes.back().local.scale = glm::vec3(0.0f);
    EXPECT_EQ(scene::check_visibility(scene), SceneVisibility::no_area);
    auto bar = skinned_bar();
    bar.nodes[0].local.scale = glm::vec3(0.0f);
    EXPECT_EQ(scene::check_visibility(bar), SceneVisibility::no_area);
}

TEST(CheckVisibility, AcceptsMeshesUnfoldedByAClip)
{
    auto bar = skinned_bar();
    bar.nodes[0].local.scale = glm::vec3(0.0f);
    bar.clips[0].channels.push_back(
        {.node = 0, .path = scene::Path::scale, .times = {0.0f, 1.0f}, .values = {0, 0, 0, 1, 1, 1}});
    EXPECT_EQ(scene::check_visibility(bar), SceneVisibility::something);
}

TEST(CheckVisibility, DetectsFullyTransparentSurfaces)
{
    auto scene = textured_cube();
    for (auto& material : scene.materials) {
        material.base_color.w = 0.0f;
        material.alpha_mode = scene::AlphaMode::blend;
    }
    EXPECT_EQ(scene::check_visibility(scene), SceneVisibility::transparent);
    for (auto& material : scene.materials)
        material.alpha_mode = scene::AlphaMode::opaque;
    EXPECT_EQ(scene::check_visibility(scene), SceneVisibility::something);
}

TEST(CheckVisibility, NodeColorMayMakeSurfacesTransparent)
{
    auto scene = textured_cube();
    scene.nodes.at(0).color.w = 0.0f;
    EXPECT_EQ(scene::check_visibility(scene), SceneVisibility::something) << "opaque";
    scene.materials.resize(1);
    scene.materials[0].alpha_mode = scene::AlphaMode::blend;
    scene.meshes[0].primitives[0].material = 0;
    EXPECT_EQ(scene::check_visibility(scene), SceneVisibility::transparent);
}

// Examining an image or a mesh's colors for each node and primitive would take hours.
TEST(CheckVisibility, ExaminesSharedDataOnce)
{
    auto scene = textured_cube();
    scene.materials[0].alpha_mode = scene::AlphaMode::blend;
    scene.images[0] = {
        .name = "glass", .width = 64, .height = 64, .pixels = std::vector<std::uint8_t>(4u << 12)};
    auto& mesh = scene.meshes[0];
    mesh.colors.assign(mesh.positions.size(), glm::vec4(1.0f));
    mesh.primitives.clear();
    for (std::uint32_t first = 0; first < mesh.indices.size(); first += 3)
        mesh.primitives.push_back({.first = first, .count = 3, .material = 0});
    scene.nodes.resize(200, scene.nodes[0]);
    test::expect_work_below("200 nodes of one mesh with an image of 4'096 pixels", 1'000'000,
                            [&] { EXPECT_EQ(scene::check_visibility(scene), SceneVisibility::transparent); });
    scene.images[0].pixels.back() = 255;
    EXPECT_EQ(scene::check_visibility(scene), SceneVisibility::something);
    for (auto& color : mesh.colors)
        color.w = 0.0f;
    EXPECT_EQ(scene::check_visibility(scene), SceneVisibility::transparent);
}

} // namespace
} // namespace vitrine::test
