// Sorting of a blended surface's triangles.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "vk_renderer/mesh/triangle_sorter.hpp"

namespace vitrine::render {
namespace {

using testing::ElementsAre;

constexpr scene::PaletteEntry at_rest{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
constexpr scene::PaletteEntry far_back{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, -10}}};

BlendedTriangle triangle(std::uint32_t name, float z, std::uint32_t entry = 0)
{
    return {.corners = {name, name, name}, .center = {0.0f, 0.0f, z}, .palette_entry = entry};
}

std::vector<std::uint32_t> ordered(const std::vector<BlendedTriangle>& triangles, glm::vec3 direction,
                                   const std::vector<glm::vec3>& middles = {})
{
    const std::array palette{at_rest, far_back};
    std::vector<std::uint32_t> corners(3 * triangles.size()), names;
    TriangleSorter().put(triangles, middles, palette, direction, corners);
    for (std::size_t i = 0; i < corners.size(); i += 3)
        names.push_back(corners[i]);
    return names;
}

TEST(TriangleSorter, PutsTheFarthestFirst)
{
    const std::vector triangles{triangle(1, 0.5f), triangle(2, -0.5f), triangle(3, 0.0f)};
    EXPECT_THAT(ordered(triangles, {0, 0, -1}), ElementsAre(2, 3, 1));
    EXPECT_THAT(ordered(triangles, {0, 0, 1}), ElementsAre(1, 3, 2));
    EXPECT_THAT(ordered(triangles, {1, 0, 0}), ElementsAre(1, 2, 3)) << "equally far";
}

TEST(TriangleSorter, SortsByThePose)
{
    EXPECT_THAT(ordered({triangle(1, 0.0f), triangle(2, 1.0f, 1)}, {0, 0, -1}), ElementsAre(2, 1));
}

TEST(TriangleSorter, SortsByDeformedCenters)
{
    const std::vector triangles{triangle(1, 0.5f), triangle(2, -0.5f), triangle(3, 0.0f, 1)};
    EXPECT_THAT(ordered(triangles, {0, 0, -1}, {{0, 0, -1}, {0, 0, 1}, {0, 0, 9.5f}}), ElementsAre(1, 3, 2));
}

TEST(TriangleSorter, SortsNanDistances)
{
    EXPECT_EQ(ordered({triangle(1, NAN), triangle(2, 1.0f), triangle(3, NAN)}, {0, 0, -1}).size(), 3u);
}

TEST(Convex, IsABodyWithoutConcavities)
{
    scene::Mesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.1f, 0.1f, 0.1f}};
    mesh.indices = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    EXPECT_TRUE(is_convex(mesh, mesh.indices));
    EXPECT_TRUE(is_convex(mesh, std::span(mesh.indices).first(6))) << "part of one is sufficient";
    mesh.indices = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 4, 2, 3, 4, 3, 1, 4};
    EXPECT_FALSE(is_convex(mesh, mesh.indices));
}

} // namespace
} // namespace vitrine::render
