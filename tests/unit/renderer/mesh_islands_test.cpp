// The connected components of blended surfaces.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "vk_renderer/mesh/mesh_islands.hpp"

namespace vitrine::render {
namespace {

using testing::ElementsAre;

// Squares of two triangles, which share no vertex but meet along an edge; the second triangles of all squares
// follow the first ones.
scene::Mesh squares(int count)
{
    scene::Mesh mesh;
    const auto add = [&](glm::vec3 p) {
        mesh.indices.push_back(static_cast<std::uint32_t>(mesh.positions.size()));
        mesh.positions.push_back(p);
    };
    for (const float half : {0.0f, 1.0f})
        for (int i = 0; i < count; ++i) {
            const auto z = static_cast<float>(i);
            add({half, half, z});
            add({1.0f, 0.0f, z});
            add({0.0f, 1.0f, z});
        }
    return mesh;
}

TEST(MeshIslands, AreGroupedInTheOrderOfTheirFirstTriangles)
{
    const auto mesh = squares(3);
    auto indices = mesh.indices;
    EXPECT_THAT(group_islands(mesh, indices, 8), ElementsAre(6, 6, 6));
    EXPECT_THAT(indices, ElementsAre(0, 1, 2, 9, 10, 11, 3, 4, 5, 12, 13, 14, 6, 7, 8, 15, 16, 17));
    for (std::size_t i = 0; i < indices.size(); ++i) {
        const std::size_t square = i / 6;
        EXPECT_EQ(mesh.positions[indices[i]].z, static_cast<float>(square)) << i;
    }
}

TEST(MeshIslands, StayOneAboveTheLimit)
{
    const auto mesh = squares(5);
    auto indices = mesh.indices;
    EXPECT_THAT(group_islands(mesh, indices, 4), ElementsAre(30));
    EXPECT_EQ(indices, mesh.indices);
    EXPECT_THAT(group_islands(mesh, indices, 5), ElementsAre(6, 6, 6, 6, 6));
}

TEST(MeshIslands, AreConnectedBySharedVertices)
{
    scene::Mesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {9, 9, 9}};
    mesh.indices = {0, 1, 2, 1, 3, 2, 4, 4, 4};
    EXPECT_THAT(group_islands(mesh, mesh.indices, 8), ElementsAre(6, 3));
}

} // namespace
} // namespace vitrine::render
