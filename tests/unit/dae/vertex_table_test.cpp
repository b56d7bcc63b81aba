#include "loaders/dae/geometry/vertex_table.hpp"

#include <gtest/gtest.h>

namespace vitrine::dae::test {
namespace {

TEST(DaeVertexTable, SharesCornersWithEqualAttributes)
{
    VertexTable table;
    table.begin_segment({true, false, false});
    EXPECT_EQ(table.find_or_add({.position = 3, .normal = 1, .uv0 = 5}), 0u);
    EXPECT_EQ(table.find_or_add({.position = 3, .normal = 1, .uv0 = 6}), 1u);
    EXPECT_EQ(table.find_or_add({.position = 3, .normal = 2, .uv0 = 5}), 2u);
    EXPECT_EQ(table.find_or_add({.position = 3, .normal = 1, .uv0 = 5}), 0u);
    EXPECT_EQ(table.find_or_add({.position = 3, .normal = 1, .uv0 = 5, .uv1 = 9}), 0u);
    EXPECT_EQ(table.add({.position = 3, .normal = 1, .uv0 = 5}), 3u);
    EXPECT_EQ(table.stored(0, 1), 6u);
    EXPECT_EQ(table.normal(2), 2u);
}

TEST(DaeVertexTable, SegmentsDoNotShareVertices)
{
    VertexTable table;
    table.begin_segment({false, false, false});
    EXPECT_EQ(table.find_or_add({.position = 0, .normal = 0}), 0u);
    table.begin_segment({false, true, false});
    EXPECT_EQ(table.find_or_add({.position = 0, .normal = 0, .uv1 = 4}), 1u);
    EXPECT_EQ(table.find_or_add({.position = 0, .normal = 0, .uv1 = 4}), 1u);
    EXPECT_EQ(table.stored(1, 0), scene::none);
    EXPECT_EQ(table.stored(1, 1), 4u);
}

// A segment whose first primitive has one index per corner, the second one index per attribute.
TEST(DaeVertexTable, StoresAttributesOnceTheyDiffer)
{
    VertexTable table;
    table.begin_segment({false, false, false});
    table.find_or_add({.position = 8, .normal = 0});
    table.begin_segment({false, false, false});
    EXPECT_EQ(table.find_or_add({.position = 7, .normal = 0, .uv0 = 7}), 1u);
    table.start_storing(0);
    EXPECT_EQ(table.find_or_add({.position = 7, .normal = 0, .uv0 = 7}), 1u);
    EXPECT_EQ(table.find_or_add({.position = 7, .normal = 0, .uv0 = 2}), 2u);
    EXPECT_EQ(table.stored(0, 0), scene::none);
    EXPECT_EQ(table.stored(0, 1), 7u);
}

TEST(DaeVertexTable, FindsCornersInLongChains)
{
    VertexTable table;
    table.begin_segment({true, false, false});
    for (std::uint32_t i = 0; i < 1000; ++i)
        ASSERT_EQ(table.find_or_add({.position = 1, .normal = 0, .uv0 = i}), i);
    for (std::uint32_t i = 0; i < 1000; ++i)
        ASSERT_EQ(table.find_or_add({.position = 1, .normal = 0, .uv0 = i}), i);
    table.release_lookup();
    EXPECT_EQ(table.positions().size(), 1000u);
    EXPECT_EQ(table.normals().size(), 1000u);
}

// Vertices with one index for all attributes, in order of positions, then out of order, then one with
// different indices.
TEST(DaeVertexTable, ExtendsFromOneIndexToSeveral)
{
    for (const std::uint32_t ordered : {0u, 1u, 5u}) {
        for (const std::uint32_t unordered : {0u, 1u, 3u}) {
            VertexTable table;
            table.reserve(40, 40);
            table.begin_segment({true, false, false});
            std::vector<std::uint32_t> expected;
            const auto add = [&](std::uint32_t index) {
                const CornerIndices corner{.position = index, .normal = index, .uv0 = index, .uv1 = 77};
                EXPECT_EQ(table.find_or_add(corner), expected.size());
                expected.push_back(index);
                EXPECT_EQ(table.find_or_add(corner), expected.size() - 1);
            };
            for (std::uint32_t i = 0; i < ordered; ++i)
                add(i);
            EXPECT_TRUE(table.is_in_order());
            for (std::uint32_t i = 0; i < unordered; ++i)
                add(30 - i);
            EXPECT_EQ(table.is_in_order(), unordered == 0);
            const CornerIndices other{.position = 30, .normal = 30, .uv0 = 2};
            const auto size = static_cast<std::uint32_t>(expected.size());
            EXPECT_EQ(table.find_or_add(other), size);
            EXPECT_EQ(table.find_or_add(other), size);
            EXPECT_EQ(table.size(), size + 1);
            for (std::uint32_t v = 0; v < size; ++v) {
                const std::uint32_t index = expected[v];
                EXPECT_EQ(table.find_or_add({.position = index, .normal = index, .uv0 = index}), v);
                EXPECT_EQ(table.position(v), index);
                EXPECT_EQ(table.normal(v), index);
                EXPECT_EQ(table.stored(0, v), index);
            }
            EXPECT_EQ(table.stored(0, size), 2u);
            expected.push_back(30);
            EXPECT_EQ(table.positions(), expected);
            EXPECT_EQ(table.normals(), expected);
        }
    }
}

// The same positions in a second segment are other vertices, also with one index for all.
TEST(DaeVertexTable, KeepsSegmentsOfOneIndexApart)
{
    VertexTable table;
    table.begin_segment({false, false, false});
    EXPECT_EQ(table.find_or_add({.position = 0, .normal = 0}), 0u);
    EXPECT_EQ(table.find_or_add({.position = 1, .normal = 1}), 1u);
    table.begin_segment({false, false, false});
    EXPECT_EQ(table.find_or_add({.position = 1, .normal = 1}), 2u);
    EXPECT_EQ(table.find_or_add({.position = 0, .normal = 0}), 3u);
    EXPECT_EQ(table.find_or_add({.position = 1, .normal = 1}), 2u);
    EXPECT_EQ(table.find_or_add({.position = 1, .normal = 0}), 4u);
    EXPECT_EQ(table.positions(), (std::vector<std::uint32_t>{0, 1, 1, 0, 1}));
    EXPECT_EQ(table.normals(), (std::vector<std::uint32_t>{0, 1, 1, 0, 0}));
}

} // namespace
} // namespace vitrine::dae::test
