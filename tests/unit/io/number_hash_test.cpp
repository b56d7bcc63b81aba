#include "loaders/io/number_hash.hpp"

#include <algorithm>
#include <unordered_map>

#include <gtest/gtest.h>

using namespace vitrine;

// Multiples of the number of buckets.
TEST(NumberHash, DistributesAdversarialNumbers)
{
    constexpr std::size_t count = 50'000, places = 85'229;
    std::unordered_map<std::uint64_t, std::size_t, io::NumberHash> table(places);
    ASSERT_EQ(table.bucket_count(), places) << "a prime of libstdc++";
    for (std::size_t i = 0; i < count; ++i)
        table.try_emplace(i * places, i);
    std::size_t fullest = 0;
    for (std::size_t place = 0; place < places; ++place)
        fullest = std::max(fullest, table.bucket_size(place));
    EXPECT_LT(fullest, 20u);
    EXPECT_EQ(table.at(7 * places), 7u);
}

TEST(NumberHash, DependsOnItsSeed)
{
    const io::NumberHash one{.seed = 1}, other{.seed = 2};
    EXPECT_NE(one(5), other(5));
    EXPECT_EQ(io::NumberHash()(5), io::NumberHash()(5));
}
