#include "loaders/io/string_hash.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <unordered_map>

#include <gtest/gtest.h>

namespace vitrine::io {
namespace {

// Hash of n bytes 0, 1, 2... with the key of the bytes 0, 1, 2... 15.
std::uint64_t of_first(std::size_t n)
{
    std::string text;
    for (std::size_t i = 0; i < n; ++i)
        text += static_cast<char>(i);
    return sip_hash(text, 0x0706'0504'0302'0100, 0x0f0e'0d0c'0b0a'0908);
}

// Test vectors of the standard libraries of Rust and OCaml, which use the same hash.
TEST(StringHash, MatchesTestVectorsOfSipHash13)
{
    EXPECT_EQ(of_first(0), 0xabac'0158'050f'c4dc);
    EXPECT_EQ(of_first(1), 0xc9f4'9bf3'7d57'ca93);
    EXPECT_EQ(sip_hash("", 0, 0), 0xd1fb'a762'150c'532c);
    EXPECT_EQ(sip_hash(std::string_view("\0", 1), 0, 0), 0x68a9'1412'8e01'e473);
    EXPECT_NE(of_first(8), of_first(9));
}

TEST(StringHash, IsEqualForAllStringTypes)
{
    std::unordered_map<std::string, int, StringHash, std::equal_to<>> map;
    map["hips"] = 1;
    map[""] = 2;
    EXPECT_EQ(map.find(std::string_view("hips"))->second, 1);
    EXPECT_EQ(map.find("")->second, 2);
    EXPECT_EQ(map.find("hip"), map.end());
    EXPECT_NE(StringHash()("hips"), sip_hash("hips", 0, 0)) << "the key is not random";
    EXPECT_NE(hash_seed(), 0u);
}

// Equal hashes in libstdc++, whose seed is public.
TEST(StringHash, SeparatesCollisionsOfTheStandardLibrary)
{
    const std::array<std::string, 4> names = {"mjhquuw1zyv3Q3pl", "R7_aX96@6o-lXjv1", "bGgWy=Vl[3A=tX}y",
                                              "qhAv4ZA3q4x$vb=="};
    std::ranges::for_each(names, [&](const std::string& name) {
        EXPECT_EQ(std::hash<std::string>()(name), std::hash<std::string>()(names[0]));
    });
    EXPECT_NE(StringHash()(names[0]), StringHash()(names[1]));
    EXPECT_NE(StringHash()(names[2]), StringHash()(names[3]));
}

} // namespace
} // namespace vitrine::io
