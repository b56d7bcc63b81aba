#include "loaders/scene/geometry/texture_coordinates.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scenes.hpp"

namespace vitrine::test {
namespace {

TEST(TextureCoordinates, NoWarningIfAllSetsExist)
{
    EXPECT_FALSE(scene::missing_texture_coordinates({}));
    EXPECT_FALSE(scene::missing_texture_coordinates(textured_cube()));
    EXPECT_FALSE(scene::missing_texture_coordinates(skinned_bar())) << "no texture uses any";
}

TEST(TextureCoordinates, WarnsWithTheSetAndTheMesh)
{
    auto scene = textured_cube();
    scene.meshes[0].name = "crate";
    scene.meshes[0].uv0.clear();
    const auto none = scene::missing_texture_coordinates(scene);
    ASSERT_TRUE(none);
    EXPECT_EQ(none->where, "mesh 'crate'");
    EXPECT_THAT(none->message, testing::HasSubstr("set 0"));

    auto second = textured_cube();
    second.materials[0].occlusion_texture = second.materials[0].base_color_texture;
    second.materials[0].occlusion_texture.uv_set = 1;
    ASSERT_TRUE(scene::missing_texture_coordinates(second));
    EXPECT_THAT(scene::missing_texture_coordinates(second)->message, testing::HasSubstr("set 1"));
    second.meshes[0].uv1 = second.meshes[0].uv0;
    EXPECT_FALSE(scene::missing_texture_coordinates(second));
}

TEST(TextureCoordinates, CountsFurtherMeshesOnce)
{
    auto scene = textured_cube();
    scene.meshes[0].uv0.clear();
    scene.meshes.resize(4, scene.meshes[0]);
    scene.meshes[3].shares_geometry = true;
    EXPECT_THAT(scene::missing_texture_coordinates(scene)->message, testing::HasSubstr("and 2 more"));
}

} // namespace
} // namespace vitrine::test
