// The two sides of back-to-back surfaces.

#include <algorithm>

#include <gtest/gtest.h>

#include "vk_renderer/mesh/split_sides.hpp"

namespace vitrine::render {
namespace {

// Triangles and their backs, which have separate vertices: `backs` after `fronts`.
struct Painted {
    scene::Mesh mesh;
    std::vector<std::uint32_t> fronts, backs;

    std::vector<std::uint32_t> all() const
    {
        auto both = fronts;
        both.insert(both.end(), backs.begin(), backs.end());
        return both;
    }
};

Painted painted(std::vector<glm::vec3> positions, std::vector<std::uint32_t> triangles)
{
    Painted out{.mesh{}, .fronts = std::move(triangles), .backs = {}};
    const auto count = static_cast<std::uint32_t>(positions.size());
    out.mesh.positions = positions;
    out.mesh.positions.insert(out.mesh.positions.end(), positions.begin(), positions.end());
    for (std::size_t i = 0; i < out.fronts.size(); i += 3)
        for (const auto corner : {1u, 0u, 2u})
            out.backs.push_back(out.fronts[i + corner] + count);
    return out;
}

void expect_apart(const Painted& made)
{
    const auto sides = split_sides(made.mesh, made.all());
    const bool swapped = sides.one != made.fronts;
    EXPECT_EQ(swapped ? sides.other : sides.one, made.fronts);
    EXPECT_EQ(swapped ? sides.one : sides.other, made.backs);
}

} // namespace

TEST(SplitSides, SeparatesASheetInEveryOrientation)
{
    const std::vector<std::uint32_t> square{0, 1, 2, 0, 2, 3};
    for (const auto& [u, v] : {std::pair(glm::vec3(1, 0, 0), glm::vec3(0, 1, 0)),
                               {{0, 0, 1}, {1, 0, 0}},
                               {{1, 1, 0}, {0, 1, 1}},
                               {{1, -1, 0}, {0, 1, -1}}})
        expect_apart(painted({glm::vec3(0), u, u + v, v}, square));
}

TEST(SplitSides, SeparatesAClosedShape)
{
    const std::vector<glm::vec3> octahedron{{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                            {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    expect_apart(
        painted(octahedron, {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5}));
}

// Two walls with coincident edge positions but no shared vertices are two parts, each with its back.
TEST(SplitSides, SeparatesEachPart)
{
    const auto made =
        painted({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 0, 0}, {1, 0, 1}, {1, 1, 0}}, {0, 1, 2, 3, 4, 5});
    const auto sides = split_sides(made.mesh, made.all());
    EXPECT_EQ(sides.one.size(), 6u);
    EXPECT_EQ(sides.other.size(), 6u);
    for (const auto& side : {sides.one, sides.other})
        EXPECT_EQ(std::ranges::count(side, 0u) + std::ranges::count(side, 6u), 1);
}

TEST(SplitSides, IsEmptyForNoTriangles)
{
    EXPECT_TRUE(split_sides({}, {}).one.empty());
}

} // namespace vitrine::render
