#include "loaders/io/key_table.hpp"

#include <gtest/gtest.h>

using vitrine::io::KeyTable;

TEST(KeyTable, NumbersKeysInTheOrderOfTheirFirstUse)
{
    KeyTable<2> table;
    EXPECT_EQ(table.find_or_add({7, 1}), 0u);
    EXPECT_EQ(table.find_or_add({1, 7}), 1u) << "the order of the words counts";
    EXPECT_EQ(table.find_or_add({7, 1}), 0u);
    EXPECT_EQ(table.size(), 2u);
    EXPECT_EQ(table.keys().at(1), (KeyTable<2>::VertexKey{1, 7}));
}

TEST(KeyTable, KeepsItsKeysWhenItGrows)
{
    KeyTable<1> table;
    for (std::uint32_t round = 0; round < 2; ++round)
        for (std::uint32_t i = 0; i < 10'000; ++i)
            ASSERT_EQ(table.find_or_add({i * 65'536}), i);
    EXPECT_EQ(table.size(), 10'000u);
}
