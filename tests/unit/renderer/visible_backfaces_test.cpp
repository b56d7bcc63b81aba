// Which parts of a single-sided surface are visible from behind.

#include <algorithm>
#include <array>
#include <functional>

#include <gtest/gtest.h>

#include "vk_renderer/mesh/visible_backfaces.hpp"

namespace vitrine::render {
namespace {

constexpr std::size_t all = 1000;

// A box with the eight corners +-1, translated by x, without the first `open` of its six sides. Each side has
// separate vertices.
void add_box(scene::Mesh& mesh, float x, bool inward, std::size_t open = 0)
{
    constexpr std::array<std::array<glm::vec3, 4>, 6> sides{{
        {{{-1, 1, -1}, {-1, 1, 1}, {1, 1, 1}, {1, 1, -1}}},     // top
        {{{-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}}},     // front
        {{{1, -1, 1}, {1, -1, -1}, {1, 1, -1}, {1, 1, 1}}},     // right
        {{{1, -1, -1}, {-1, -1, -1}, {-1, 1, -1}, {1, 1, -1}}}, // back
        {{{-1, -1, -1}, {-1, -1, 1}, {-1, 1, 1}, {-1, 1, -1}}}, // left
        {{{-1, -1, -1}, {1, -1, -1}, {1, -1, 1}, {-1, -1, 1}}}, // bottom
    }};
    for (std::size_t s = open; s < sides.size(); ++s) {
        const auto first = static_cast<std::uint32_t>(mesh.positions.size());
        for (const auto& corner : sides[s])
            mesh.positions.push_back(corner + glm::vec3(x, 0.0f, 0.0f));
        for (const std::uint32_t i : {0u, 1u, 2u, 0u, 2u, 3u})
            mesh.indices.push_back(first + (inward ? (4 - i) % 4 : i));
    }
}

bool has_transparency(bool inward, std::size_t open)
{
    scene::Mesh mesh;
    add_box(mesh, 7.0f, inward, open);
    const auto through = visible_backfaces(mesh, mesh.indices, all);
    if (through.empty()) return false;
    EXPECT_EQ(through.size(), mesh.indices.size() / 3);
    EXPECT_TRUE(std::ranges::all_of(through, std::identity()));
    return true;
}

TEST(VisibleBackfaces, AreInRoomsAndNotInBodies)
{
    EXPECT_TRUE(has_transparency(true, 0));
    EXPECT_FALSE(has_transparency(false, 0));
    EXPECT_TRUE(has_transparency(true, 1)) << "without a ceiling";
    EXPECT_FALSE(has_transparency(false, 1));
    EXPECT_TRUE(has_transparency(true, 2)) << "without a wall";
    EXPECT_FALSE(has_transparency(false, 2));
}

TEST(VisibleBackfaces, AreInSheets)
{
    EXPECT_TRUE(has_transparency(true, 5));
    EXPECT_TRUE(has_transparency(false, 5));
}

TEST(VisibleBackfaces, AreFoundPerComponent)
{
    scene::Mesh mesh;
    add_box(mesh, 0.0f, true);
    add_box(mesh, 9.0f, false);
    const auto through = visible_backfaces(mesh, mesh.indices, all);
    ASSERT_EQ(through.size(), 24u);
    EXPECT_EQ(std::ranges::count(through, true), 12);
    EXPECT_TRUE(through.front());
    EXPECT_FALSE(through.back());
}

TEST(VisibleBackfaces, AreOfOneComponentAboveTheLimit)
{
    scene::Mesh mesh;
    add_box(mesh, 0.0f, true, 1);
    add_box(mesh, 9.0f, false);
    EXPECT_TRUE(visible_backfaces(mesh, mesh.indices, 21).empty());
    EXPECT_FALSE(visible_backfaces(mesh, mesh.indices, 22).empty());
}

TEST(VisibleBackfaces, ExcludeDegenerateTriangles)
{
    scene::Mesh mesh;
    mesh.positions.assign(3, glm::vec3(1.0f));
    mesh.indices = {0, 1, 2};
    EXPECT_TRUE(visible_backfaces(mesh, mesh.indices, all).empty());
    EXPECT_TRUE(visible_backfaces(mesh, {}, all).empty());
}

} // namespace
} // namespace vitrine::render
