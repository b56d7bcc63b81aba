// Corners with equal keys are one point.

#include <gmock/gmock.h>

#include "vk_renderer/mesh/weld_vertices.hpp"

namespace vitrine::render {
namespace {

using testing::ElementsAre;

TEST(Weld, NumbersPointsByFirstCorner)
{
    const std::vector<std::uint64_t> keys{70, 5, 70, 9, 5, 70};
    const auto points = weld(keys);
    EXPECT_EQ(points.size(), 3u);
    EXPECT_THAT(points.points, ElementsAre(0, 1, 0, 2, 1, 0));
    EXPECT_THAT(points.first, ElementsAre(0, 3, 5, 6));
    EXPECT_THAT(points.corners, ElementsAre(0, 2, 5, 1, 4, 3));
}

TEST(Weld, SeparatesCollidingKeys)
{
    std::vector<std::uint64_t> keys;
    for (std::uint64_t i = 0; i < 100; ++i) // equal low bits, and the highest bits set
        keys.push_back(~(i % 50 << 40));
    EXPECT_EQ(weld(keys).size(), 50u);
}

TEST(Weld, IsEmptyForNoKeys)
{
    EXPECT_EQ(weld({}).size(), 0u);
}

} // namespace
} // namespace vitrine::render
