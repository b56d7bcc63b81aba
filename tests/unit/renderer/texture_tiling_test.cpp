#include "vk_renderer/textures/texture_tiling.hpp"

#include <gmock/gmock.h>

namespace vitrine::render {
namespace {

using testing::ElementsAre;

// Two triangles of materials 0 and 1 on six vertices; the third material is unused.
scene::Scene two_triangles(std::vector<glm::vec2> uv0, std::vector<glm::vec2> uv1 = {})
{
    scene::Scene scene;
    scene.materials.resize(3);
    scene::Mesh mesh;
    mesh.positions.resize(6);
    mesh.uv0 = std::move(uv0);
    mesh.uv1 = std::move(uv1);
    mesh.indices = {0, 1, 2, 3, 4, 5};
    mesh.primitives = {{.first = 0, .count = 3, .material = 0}, {.first = 3, .count = 3, .material = 1}};
    scene.meshes.push_back(std::move(mesh));
    return scene;
}

TEST(TextureTiling, IsTheLongerSideOfTheCoordinates)
{
    EXPECT_THAT(tilings(two_triangles({{0, 0}, {1, 0}, {0, 0.5f}, {-1, 2}, {1, 2}, {1, 6}})),
                ElementsAre(1.0f, 4.0f, 0.0f));
    EXPECT_THAT(tilings(two_triangles({})), ElementsAre(0.0f, 0.0f, 0.0f));
}

TEST(TextureTiling, IsTheMaximumOverSetsAndPrimitives)
{
    auto scene = two_triangles({{0, 0}, {1, 0}, {0, 1}, {0, 0}, {1, 0}, {0, 1}},
                               {{0, 0}, {3, 0}, {0, 1}, {0, 0}, {0, 0}, {0, 0}});
    EXPECT_THAT(tilings(scene), ElementsAre(3.0f, 1.0f, 0.0f));
    scene.meshes[0].primitives[1].material = 0;
    scene.meshes.push_back(scene.meshes[0]);
    scene.meshes[1].uv1.clear();
    EXPECT_THAT(tilings(scene), ElementsAre(3.0f, 0.0f, 0.0f));
    scene.meshes[0].more_uvs = {{}, {{0, 0}, {5, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}}};
    EXPECT_THAT(tilings(scene), ElementsAre(5.0f, 0.0f, 0.0f));
}

// Positions in an atlas far from the origin have a small span.
TEST(TextureTiling, IsIndependentOfTheOffset)
{
    EXPECT_THAT(tilings(two_triangles({{7, 7}, {7.5f, 7}, {7, 8}, {-9, 3}, {-9, 3}, {-9, 3}})),
                ElementsAre(1.0f, 0.0f, 0.0f));
}

TEST(TextureTiling, IncludesTheTextureScale)
{
    scene::Texture texture;
    EXPECT_FALSE(is_tiled(texture, 1.0f));
    EXPECT_TRUE(is_tiled(texture, 2.0f));
    texture.scale = {1.0f, -4.0f};
    EXPECT_TRUE(is_tiled(texture, 1.0f));
    texture.scale = {0.1f, 0.1f};
    EXPECT_FALSE(is_tiled(texture, 2.0f));
}

} // namespace
} // namespace vitrine::render
