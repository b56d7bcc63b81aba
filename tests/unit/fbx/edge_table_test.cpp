#include "loaders/fbx/meshes/edge_table.hpp"

#include <gtest/gtest.h>

namespace vitrine::fbx {
namespace {

TEST(FbxEdgeTable, KeepsTheFirstValueOfAnEdge)
{
    EdgeTable<int> table(10);
    EXPECT_EQ(table.find_or_add(3, 7, 1), std::pair(1, true));
    EXPECT_EQ(table.find_or_add(7, 3, 2), std::pair(1, false));
    EXPECT_EQ(table.find_or_add(3, 8, 3), std::pair(3, true));
    EXPECT_EQ(table.find_or_add(scene::none, 3, 4), std::pair(4, true));
    EXPECT_EQ(table.find_or_add(scene::none, scene::none, 5), std::pair(5, true));
    EXPECT_TRUE(table.contains(3, scene::none));
    EXPECT_TRUE(table.contains(8, 3));
    EXPECT_FALSE(table.contains(7, 8));
}

TEST(FbxEdgeTable, FindsEdgesOfALargeFan)
{
    constexpr std::uint32_t edges = 50'000;
    EdgeTable<std::uint32_t> table(edges + 1);
    for (std::uint32_t i = 1; i <= edges; ++i)
        ASSERT_TRUE(table.find_or_add(0, i, i).second);
    for (std::uint32_t i = 1; i <= edges; ++i)
        ASSERT_EQ(table.find_or_add(i, 0, 0), std::pair(i, false));
    EXPECT_TRUE(table.contains(0, edges));
    EXPECT_FALSE(table.contains(1, 2));
}

} // namespace
} // namespace vitrine::fbx
