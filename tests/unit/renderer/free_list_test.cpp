#include "vk_renderer/gpu/free_list.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace vitrine::render {
namespace {

TEST(FreeList, AllocatesFromTheFrontAligned)
{
    FreeList list(1024);
    EXPECT_EQ(list.take(100, 1), 0u);
    EXPECT_EQ(list.take(100, 256), 256u);
    EXPECT_EQ(list.take(50, 1), 100u) << "the gap before an aligned range stays free";
    EXPECT_EQ(list.take(600, 1), 356u);
    EXPECT_EQ(list.take(100, 1), 150u);
    EXPECT_EQ(list.take(69, 1), std::nullopt);
    EXPECT_EQ(list.take(68, 1), 956u) << "to the last byte";
}

TEST(FreeList, RejectsSizesThatDoNotFit)
{
    FreeList list(256);
    EXPECT_EQ(list.take(257, 1), std::nullopt);
    EXPECT_EQ(list.take(UINT64_MAX, 256), std::nullopt);
    EXPECT_EQ(list.take(1, 1), 0u);
    EXPECT_EQ(list.take(1, 1024), std::nullopt) << "padding beyond the end";
    EXPECT_EQ(list.take(255, 1), 1u);
    EXPECT_EQ(list.take(1, 1), std::nullopt);
}

TEST(FreeList, MergesFreedRanges)
{
    for (const auto& order : {std::vector{0, 1, 2}, {2, 1, 0}, {0, 2, 1}, {1, 0, 2}}) {
        FreeList list(300);
        for (std::uint64_t i = 0; i < 3; ++i)
            ASSERT_EQ(list.take(100, 1), 100 * i);
        EXPECT_FALSE(list.unused());
        for (const auto i : order)
            list.deallocate(static_cast<std::uint64_t>(i) * 100, 100);
        EXPECT_TRUE(list.unused());
        EXPECT_EQ(list.take(300, 1), 0u);
    }
}

// Compared with a simple implementation with one flag per byte.
TEST(FreeList, NeverAllocatesAByteTwice)
{
    struct Allocation {
        std::uint64_t offset, size;
    };
    constexpr std::uint64_t size = 4096;
    std::mt19937 random(7);
    FreeList list(size);
    std::vector<bool> taken(size);
    std::vector<Allocation> parts;
    for (int i = 0; i < 20'000; ++i) {
        if (parts.empty() || random() % 2 == 0) {
            const std::uint64_t bytes = 1 + random() % 300, alignment = 1u << random() % 9;
            const auto offset = list.take(bytes, alignment);
            if (!offset) continue;
            ASSERT_EQ(*offset % alignment, 0u);
            ASSERT_LE(*offset + bytes, size);
            for (auto at = *offset; at < *offset + bytes; ++at) {
                ASSERT_FALSE(taken[at]);
                taken[at] = true;
            }
            parts.push_back({*offset, bytes});
        } else {
            std::swap(parts[random() % parts.size()], parts.back());
            const auto [offset, bytes] = parts.back();
            parts.pop_back();
            list.deallocate(offset, bytes);
            for (auto at = offset; at < offset + bytes; ++at)
                taken[at] = false;
        }
    }
    for (const auto& [offset, bytes] : parts)
        list.deallocate(offset, bytes);
    EXPECT_TRUE(list.unused());
}

} // namespace
} // namespace vitrine::render
