// The estimate of a cached scene's size.

#include <cstdint>
#include <utility>

#include <gtest/gtest.h>

#include "server/services/storage/scene_store.hpp"

namespace vitrine::server {
namespace {

scene::Scene scene_with_image(std::size_t pixel_bytes)
{
    scene::Scene scene;
    scene.images.push_back({.name = "wood", .pixels = std::vector<std::uint8_t>(pixel_bytes)});
    return scene;
}

TEST(SceneMemory, IncludesThePixelsOfImages)
{
    EXPECT_EQ(memory_bytes(scene_with_image(4000)) - memory_bytes(scene_with_image(0)), 4000u);
}

TEST(SceneMemory, IncludesEveryImage)
{
    auto scene = scene_with_image(4000);
    const auto before = memory_bytes(scene);
    scene.images.push_back({.name = "iron", .pixels = std::vector<std::uint8_t>(70)});
    EXPECT_EQ(memory_bytes(scene) - before, sizeof(scene::Image) + 70);
}

TEST(SceneMemory, IncludesEverySetOfTextureCoordinates)
{
    scene::Scene scene;
    scene.meshes.emplace_back();
    const auto before = memory_bytes(scene);
    scene.meshes[0].uv1.resize(5);
    scene.meshes[0].more_uvs.assign(2, scene::Array<glm::vec2>(7));
    EXPECT_EQ(memory_bytes(scene) - before, (5 + 2 * 7) * sizeof(glm::vec2));
}

} // namespace
} // namespace vitrine::server
