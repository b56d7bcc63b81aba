#include "vk_renderer/mesh/connected_components.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace vitrine::render {
namespace {

scene::Mesh mesh_of(std::vector<glm::vec3> positions)
{
    scene::Mesh mesh;
    mesh.positions = std::move(positions);
    return mesh;
}

TEST(ConnectedComponents, JoinCoincidentCorners)
{
    const auto mesh = mesh_of({{0, 0, 0},
                               {1, 0, 0},
                               {0, 1, 0},
                               {5, 0, 0},
                               {6, 0, 0},
                               {5, 1, 0},
                               {1, -0.0f, 0},
                               {2, 0, 0},
                               {1, 1, -0.0f}});
    const std::vector<std::uint32_t> triangles{3, 4, 5, 0, 1, 2, 6, 7, 8, 5, 4, 3};
    const auto parts = connected_components(mesh, triangles);
    EXPECT_EQ(parts.count, 2u);
    EXPECT_EQ(parts.of, (std::vector<std::uint32_t>{0, 1, 1, 0})) << "vertices 6 and 1 coincide";
}

TEST(ConnectedComponents, IgnoreIncompleteTriangles)
{
    const auto mesh = mesh_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
    EXPECT_EQ(connected_components(mesh, {}).count, 0u);
    EXPECT_EQ(connected_components(mesh, std::vector<std::uint32_t>{0, 1, 2, 0, 1}).of.size(), 1u);
}

// Compared with joining by every pair of corners.
TEST(ConnectedComponents, MatchComparisonOfEveryPair)
{
    std::mt19937 random(5);
    for (int round = 0; round < 20; ++round) {
        std::vector<glm::vec3> positions(60);
        for (auto& at : positions)
            at = {static_cast<float>(random() % 5), static_cast<float>(random() % 5),
                  static_cast<float>(random() % 4)};
        const auto mesh = mesh_of(positions);
        std::vector<std::uint32_t> triangles(3 * (5 + random() % 30));
        for (auto& corner : triangles)
            corner = static_cast<std::uint32_t>(random() % positions.size());
        const auto count = triangles.size() / 3;
        std::vector<std::uint32_t> expected(count);
        for (std::uint32_t t = 0; t < count; ++t)
            expected[t] = t;
        for (std::size_t i = 0; i < triangles.size(); ++i)
            for (std::size_t k = 0; k < i; ++k)
                if (positions[triangles[i]] == positions[triangles[k]]) {
                    const auto from = std::max(expected[i / 3], expected[k / 3]);
                    std::ranges::replace(expected, from, std::min(expected[i / 3], expected[k / 3]));
                }
        const auto parts = connected_components(mesh, triangles);
        for (std::size_t a = 0; a < count; ++a)
            for (std::size_t b = 0; b < a; ++b)
                ASSERT_EQ(parts.of[a] == parts.of[b], expected[a] == expected[b]) << round;
        std::uint32_t seen = 0; // numbered by first triangle
        for (const auto part : parts.of) {
            ASSERT_LE(part, seen);
            seen = std::max(seen, part + 1);
        }
        EXPECT_EQ(seen, parts.count);
    }
}

} // namespace
} // namespace vitrine::render
