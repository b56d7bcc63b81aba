#include "loaders/dae/vertex_table.hpp"

#include <gtest/gtest.h>

namespace vitrine::dae::test {
namespace {

TEST(DaeVertexTable, SharesCornersThatAgreeInWhatIsKept)
{
    VertexTable table;
    table.begin_segment({true, false, false});
    EXPECT_EQ(table.find_or_add({.position = 3, .normal = 1, .uv0 = 5}), 0u);
    EXPECT_EQ(table.find_or_add({.position = 3, .normal = 1, .uv0 = 6}), 1u);
    EXPECT_EQ(table.find_or_add({.position = 3, .normal = 2, .uv0 = 5}), 2u);
    EXPECT_EQ(table.find_or_add({.position = 3, .normal = 1, .uv0 = 5}), 0u);
    EXPECT_EQ(table.find_or_add({.position = 3, .normal = 1, .uv0 = 5, .uv1 = 9}), 0u);
    EXPECT_EQ(table.add({.position = 3, .normal = 1, .uv0 = 5}), 3u);
    EXPECT_EQ(table.kept(0, 1), 6u);
    EXPECT_EQ(table.normal(2), 2u);
}

TEST(DaeVertexTable, SharesNothingBetweenSegments)
{
    VertexTable table;
    table.begin_segment({false, false, false});
    EXPECT_EQ(table.find_or_add({.position = 0, .normal = 0}), 0u);
    table.begin_segment({false, true, false});
    EXPECT_EQ(table.find_or_add({.position = 0, .normal = 0, .uv1 = 4}), 1u);
    EXPECT_EQ(table.find_or_add({.position = 0, .normal = 0, .uv1 = 4}), 1u);
    EXPECT_EQ(table.kept(1, 0), scene::none);
    EXPECT_EQ(table.kept(1, 1), 4u);
}

// A segment whose first primitive gives a corner one index for all, its second one for each.
TEST(DaeVertexTable, BeginsToKeepWhatFollowedThePosition)
{
    VertexTable table;
    table.begin_segment({false, false, false});
    table.find_or_add({.position = 8, .normal = 0});
    table.begin_segment({false, false, false});
    EXPECT_EQ(table.find_or_add({.position = 7, .normal = 0, .uv0 = 7}), 1u);
    table.begin_to_keep(0);
    EXPECT_EQ(table.find_or_add({.position = 7, .normal = 0, .uv0 = 7}), 1u);
    EXPECT_EQ(table.find_or_add({.position = 7, .normal = 0, .uv0 = 2}), 2u);
    EXPECT_EQ(table.kept(0, 0), scene::none);
    EXPECT_EQ(table.kept(0, 1), 7u);
}

TEST(DaeVertexTable, FindsCornersInLongChains)
{
    VertexTable table;
    table.begin_segment({true, false, false});
    for (std::uint32_t i = 0; i < 1000; ++i)
        ASSERT_EQ(table.find_or_add({.position = 1, .normal = 0, .uv0 = i}), i);
    for (std::uint32_t i = 0; i < 1000; ++i)
        ASSERT_EQ(table.find_or_add({.position = 1, .normal = 0, .uv0 = i}), i);
    table.finish_looking_up();
    EXPECT_EQ(table.take_positions().size(), 1000u);
    EXPECT_EQ(table.take_normals().size(), 1000u);
}

} // namespace
} // namespace vitrine::dae::test
