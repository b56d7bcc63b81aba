#include "loaders/io/number_hash.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <unordered_map>
#include <vector>

#include <gtest/gtest.h>

using namespace vitrine;

namespace {

constexpr std::array<std::uint64_t, 4> seeds{0, 1, 0x8000'0000'0000'0000u, 0x0123'4567'89AB'CDEFu};

// The largest number of keys in one bucket of a table with about `buckets` buckets.
std::size_t fullest_bucket(const std::vector<std::uint64_t>& numbers, std::size_t buckets,
                           const std::function<std::size_t(std::uint64_t)>& hash)
{
    std::unordered_map<std::uint64_t, std::size_t, std::function<std::size_t(std::uint64_t)>> table(buckets,
                                                                                                    hash);
    for (const std::uint64_t number : numbers)
        table.try_emplace(number, 0);
    std::size_t fullest = 0;
    for (std::size_t bucket = 0; bucket < table.bucket_count(); ++bucket)
        fullest = std::max(fullest, table.bucket_size(bucket));
    return fullest;
}

} // namespace

// Multiples of the number of buckets, of powers of two, and numbers that differ in few bits only.
TEST(NumberHash, DistributesAdversarialNumbers)
{
    constexpr std::size_t count = 5'000, buckets = 8'123; // a prime of libstdc++
    const auto multiples = [](std::uint64_t step) {
        std::vector<std::uint64_t> numbers(count);
        for (std::size_t i = 0; i < count; ++i)
            numbers[i] = i * step;
        return numbers;
    };
    for (const std::uint64_t step : {std::uint64_t{buckets}, std::uint64_t{1} << 20, std::uint64_t{1} << 32,
                                     std::uint64_t{1} << 48, std::uint64_t{1}}) {
        const auto numbers = multiples(step);
        for (const std::uint64_t seed : seeds)
            EXPECT_LT(fullest_bucket(numbers, buckets, io::NumberHash{seed}), 20u) << step << ", " << seed;
    }
    // The standard library's hash fails: the bound means something.
    EXPECT_EQ(fullest_bucket(multiples(buckets), buckets, std::hash<std::uint64_t>()), count);
}

// Numbers that collide with one seed are found by trying; with another seed they must not collide.
TEST(NumberHash, CollisionsOfOneSeedAreNoneOfAnother)
{
    constexpr std::size_t buckets = 1'031; // a prime of libstdc++
    for (const std::uint64_t known : seeds) {
        std::vector<std::uint64_t> collide;
        for (std::uint64_t number = 0; collide.size() < 500; ++number)
            if (io::NumberHash{known}(number) % buckets == 0) collide.push_back(number);
        for (const std::uint64_t seed : seeds)
            EXPECT_EQ(fullest_bucket(collide, buckets, io::NumberHash{seed}) < 12, seed != known)
                << known << ", " << seed;
    }
}

TEST(NumberHash, TakesTheSeedOfTheProcess)
{
    EXPECT_EQ(io::NumberHash().seed, io::hash_seed());
    EXPECT_EQ(io::NumberHash()(5), io::NumberHash{io::hash_seed()}(5));
    EXPECT_NE(io::NumberHash()(5), io::NumberHash{io::hash_seed() + 1}(5));
}
