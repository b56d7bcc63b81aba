#include "loaders/quake/equal_vertices.hpp"

#include <algorithm>
#include <map>
#include <random>

#include <gtest/gtest.h>

using namespace vitrine;

TEST(EqualKeys, AreFoundTogetherAndInOrder)
{
    const std::vector<std::uint64_t> keys{9, 4, 7, 4, 9, 9};
    auto found = quake::find_equal_keys(keys);
    std::erase_if(found, [](const quake::KeyedVertex& v) { return v.key == 7; });
    const std::vector<quake::KeyedVertex> expected{{4, 1}, {4, 3}, {9, 0}, {9, 4}, {9, 5}};
    EXPECT_EQ(found, expected);
    EXPECT_TRUE(quake::find_equal_keys({}).empty());
}

TEST(EqualKeys, NoneIsLostAndFewAreAlone)
{
    std::mt19937_64 random(1);
    std::vector<std::uint64_t> keys(20'000);
    std::ranges::generate(keys, [&] { return random(); });
    for (std::size_t i = 0; i < 500; ++i)
        keys[random() % keys.size()] = keys[random() % keys.size()];
    std::map<std::uint64_t, int> counts;
    for (const std::uint64_t key : keys)
        ++counts[key];
    const auto found = quake::find_equal_keys(keys);
    const auto shared = std::ranges::count_if(keys, [&](std::uint64_t key) { return counts[key] > 1; });
    const auto found_shared =
        std::ranges::count_if(found, [&](const quake::KeyedVertex& v) { return counts[v.key] > 1; });
    EXPECT_EQ(found_shared, shared);
    EXPECT_LT(found.size(), keys.size() / 4);
    EXPECT_TRUE(std::ranges::is_sorted(found));
}
