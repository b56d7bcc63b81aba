#include "loaders/io/huge_pages.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace vitrine::io {
namespace {

TEST(HugePages, KeepsElementsAndReservesCapacity)
{
    for (const std::size_t size : {std::size_t{0}, std::size_t{5}, std::size_t{3'000'001}}) {
        std::vector<int> list(size);
        std::iota(list.begin(), list.end(), 1);
        const auto before = list;
        reserve_large(list, size / 2);
        EXPECT_EQ(list, before);
        reserve_large(list, size * 2 + 1'000'000);
        EXPECT_GE(list.capacity(), size * 2 + 1'000'000);
        EXPECT_EQ(list, before);
        resize_large(list, size + 10);
        EXPECT_EQ(list.size(), size + 10);
        EXPECT_EQ(list.back(), 0);
    }
}

// Only pages that are completely in the range.
TEST(HugePages, DiscardsWholePages)
{
    constexpr std::size_t page = 4096;
    std::vector<unsigned char> list(std::size_t{1} << 20, 7);
    discard_pages(std::as_bytes(std::span(list)).subspan(1));
    EXPECT_EQ(list.front(), 7);
    EXPECT_EQ(list[list.size() / 2], 0);
    const auto kept = std::ranges::count(list, 7);
    EXPECT_GT(kept, 0);
    EXPECT_LT(kept, std::ptrdiff_t{2} * page);
    std::vector<unsigned char> small(page - 1, 7);
    discard_pages(std::as_bytes(std::span(small)));
    EXPECT_EQ(std::ranges::count(small, 7), page - 1);
}

} // namespace
} // namespace vitrine::io
