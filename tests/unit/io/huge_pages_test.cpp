#include "loaders/io/huge_pages.hpp"

#include <numeric>
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

} // namespace
} // namespace vitrine::io
