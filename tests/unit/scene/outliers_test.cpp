// Detection of small distant parts.

#include "loaders/scene/preview/outliers.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/scenes.hpp"

namespace vitrine::scene {
namespace {

// textured_cube() and a second cube of `size` at `place`, with its own node.
Scene with_distant_part(glm::vec3 place, float size)
{
    Scene scene = test::textured_cube();
    Node part;
    part.name = "distant";
    part.mesh = 0;
    part.local.translation = place;
    part.local.scale = glm::vec3(size);
    scene.nodes.push_back(part);
    return scene;
}

TEST(Outliers, DetectsADistantSmallPart)
{
    const auto outliers = find_outliers(with_distant_part({100'000.0f, 0.0f, 0.0f}, 0.01f));
    ASSERT_TRUE(outliers);
    EXPECT_EQ(outliers->elements, 12u);
    EXPECT_EQ(outliers->node, 1u);
    EXPECT_NEAR(outliers->enlargement, 100'000.0 / std::sqrt(3.0), 10.0);
    for (std::uint32_t v = 0; v < 24; ++v) {
        EXPECT_FALSE(outliers->has(0, v));
        EXPECT_TRUE(outliers->has(1, v));
    }
}

TEST(Outliers, DetectsPartsOfOneMesh)
{
    Scene scene = test::textured_cube();
    auto& mesh = scene.meshes[0];
    for (const glm::vec3 corner : {glm::vec3(0, 0, 0), glm::vec3(0.01f, 0, 0), glm::vec3(0, 0.01f, 0)}) {
        mesh.indices.push_back(static_cast<std::uint32_t>(mesh.positions.size()));
        mesh.positions.push_back(corner + glm::vec3(0.0f, 0.0f, -1e5f));
        mesh.normals.emplace_back(0.0f, 0.0f, 1.0f);
        mesh.uv0.emplace_back(0.0f);
        mesh.tangents.emplace_back(1.0f, 0.0f, 0.0f, 1.0f);
    }
    mesh.primitives[0].count += 3;
    const auto outliers = find_outliers(scene);
    ASSERT_TRUE(outliers);
    EXPECT_EQ(outliers->elements, 1u);
    EXPECT_FALSE(outliers->has(0, 23));
    EXPECT_TRUE(outliers->has(0, 24));
}

TEST(Outliers, DetectsSeveralOnAllSides)
{
    Scene scene = with_distant_part({1e5f, 0.0f, 0.0f}, 0.01f);
    for (const glm::vec3 place : {glm::vec3(-2e5f, 0, 0), glm::vec3(0, 3e4f, 1e6f)}) {
        scene.nodes.push_back(scene.nodes[1]);
        scene.nodes.back().local.translation = place;
    }
    scene.nodes.push_back(scene.nodes[0]); // more than half of the elements belong to the model
    scene.nodes.push_back(scene.nodes[0]);
    const auto outliers = find_outliers(scene);
    ASSERT_TRUE(outliers);
    EXPECT_EQ(outliers->elements, 36u);
}

TEST(Outliers, IgnoresModeratelyDistantParts)
{
    EXPECT_FALSE(find_outliers({}));
    EXPECT_FALSE(find_outliers(test::textured_cube()));
    EXPECT_FALSE(find_outliers(test::skinned_bar()));
    EXPECT_FALSE(find_outliers(with_distant_part({60.0f, 0.0f, 0.0f}, 0.01f))) << "35 times as large";
    EXPECT_TRUE(find_outliers(with_distant_part({100.0f, 0.0f, 0.0f}, 0.01f))) << "58 times";
}

TEST(Outliers, IgnoresLargeParts)
{
    EXPECT_FALSE(find_outliers(with_distant_part({1e5f, 0.0f, 0.0f}, 1.0f)));
    EXPECT_FALSE(find_outliers(with_distant_part({1e5f, 0.0f, 0.0f}, 0.2f))) << "a 26th of the area";
}

// A cable of low area, a hundred times as long as the model.
TEST(Outliers, IgnoresConnectedParts)
{
    Scene scene = test::textured_cube();
    for (int i = 0; i < 10; ++i) {
        Node link;
        link.mesh = 0;
        link.local.translation.x = 0.5f + 20.0f * static_cast<float>(i) + 10.0f;
        link.local.scale = {20.0f, 1e-4f, 1e-4f};
        scene.nodes.push_back(link);
    }
    scene.nodes.insert(scene.nodes.end(), 12, scene.nodes[0]);
    EXPECT_FALSE(find_outliers(scene));
    scene.nodes.erase(scene.nodes.begin() + 1, scene.nodes.begin() + 10); // but the last
    EXPECT_TRUE(find_outliers(scene));
}

// Without area, the number of elements is compared.
TEST(Outliers, AtMostOnePercentOfPoints)
{
    for (const std::uint32_t count : {50u, 500u}) {
        Scene scene = test::textured_cube();
        auto& mesh = scene.meshes[0];
        mesh = Mesh{};
        for (std::uint32_t i = 0; i < count; ++i) {
            mesh.positions.emplace_back(float(i % 10), float(i / 10 % 10), float(i % 7));
            mesh.indices.push_back(i);
        }
        mesh.positions[3] = {0.0f, 1e6f, 0.0f};
        mesh.normals.assign(count, {0.0f, 1.0f, 0.0f});
        mesh.primitives = {{.topology = Topology::points, .count = count}};
        EXPECT_EQ(find_outliers(scene).has_value(), count == 500) << count;
    }
}

TEST(Outliers, ReportsAWarning)
{
    EXPECT_FALSE(warn_about_outliers(test::textured_cube()));
    const auto warning = warn_about_outliers(with_distant_part({100'000.0f, 0.0f, 0.0f}, 0.01f));
    ASSERT_TRUE(warning);
    EXPECT_EQ(warning->code, "outliers_not_framed");
    EXPECT_EQ(warning->where, "node 'distant'");
    EXPECT_TRUE(warning->message.starts_with("12 small triangles")) << warning->message;
}

} // namespace
} // namespace vitrine::scene
