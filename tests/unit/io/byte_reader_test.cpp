#include "loaders/io/byte_reader.hpp"

#include <array>
#include <limits>

#include <gtest/gtest.h>

namespace vitrine::io {
namespace {

constexpr std::array<unsigned char, 8> raw{1, 0, 0, 0, 'a', 'b', 0, 'x'};

ByteReader reader()
{
    return ByteReader(std::as_bytes(std::span(raw)));
}

TEST(ByteReader, ReadsInOrder)
{
    ByteReader in = reader();
    EXPECT_EQ(in.read<std::uint32_t>(), 1u);
    EXPECT_EQ(in.position(), 4u);
    EXPECT_EQ(in.read_text(4), "ab");
    EXPECT_EQ(in.remaining(), 0u);
    EXPECT_FALSE(in.failed());
}

TEST(ByteReader, FailureIsSticky)
{
    ByteReader in = reader();
    in.skip(6);
    EXPECT_EQ(in.read<std::uint32_t>(), 0u);
    EXPECT_TRUE(in.failed());
    EXPECT_EQ(in.read<std::uint8_t>(), 0u);
    in.seek(0);
    EXPECT_TRUE(in.read_bytes(1).empty());
}

TEST(ByteReader, AllowsSeekingToTheEndOnly)
{
    ByteReader in = reader();
    in.seek(8);
    EXPECT_FALSE(in.failed());
    in.seek(9);
    EXPECT_TRUE(in.failed());
}

TEST(ByteReader, ArraysAllocateOnlyAvailableData)
{
    ByteReader in = reader();
    EXPECT_EQ(in.read_array<std::uint16_t>(2).size(), 2u);
    EXPECT_EQ(reader().read_array<std::uint16_t>().size(), reader().size() / 2);
    constexpr auto huge = std::numeric_limits<std::uint64_t>::max() / 2 + 1;
    EXPECT_TRUE(in.read_array<std::uint16_t>(huge).empty());
    EXPECT_TRUE(in.failed());
}

} // namespace
} // namespace vitrine::io
