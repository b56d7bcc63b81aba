// Version 1 of meshopt's attribute codec, with manually written streams. tests/e2e/suites/meshopt.test.mjs
// covers streams of meshoptimizer's own encoder.

#include "loaders/gltf/document/meshopt_attributes.hpp"

#include <array>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/gltf/compressed.hpp"

namespace vitrine::gltf {
namespace {

using Stream = std::vector<std::uint8_t>;

constexpr std::uint8_t zeros = 2, literal = 3;

// A block of elements of four bytes: the control of each byte, and the stored data of all of them.
Stream stream_of(std::array<std::uint8_t, 4> controls, const Stream& stored,
                 std::array<std::uint8_t, 4> baseline, std::uint8_t channel)
{
    Stream out = {0xa1, static_cast<std::uint8_t>(controls[0] | controls[1] << 2 | controls[2] << 4 |
                                                  controls[3] << 6)};
    out.insert(out.end(), stored.begin(), stored.end());
    out.resize(out.size() + 24 - 5);
    out.insert(out.end(), baseline.begin(), baseline.end());
    out.push_back(channel);
    return out;
}

template <class Value>
std::vector<Value> decoded(const Stream& stream, std::size_t elements)
{
    std::vector<std::uint8_t> bytes(elements * 4);
    EXPECT_TRUE(decode_meshopt_attributes(stream, 4, bytes));
    std::vector<Value> values(bytes.size() / sizeof(Value));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

// The example of the specification, after the bits that select four bits per delta.
TEST(MeshoptAttributes, HasTheSpecificationsExample)
{
    const Stream example = {0x03, 0x17, 0x5f, 0xf0, 0xbc, 0x77, 0xa9, 0x21, 0x00, 0x34, 0xb5};
    const auto values =
        decoded<std::uint8_t>(stream_of({0, zeros, zeros, zeros}, example, {200, 7, 0, 1}, 0), 16);
    const std::array<int, 16> steps = {-1, -4, -3, 26, -91, 0, -6, 6, -4, -4, 5, -5, 1, -1, 0, 0};
    int value = 200;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        value += steps[i];
        EXPECT_EQ(values[i * 4], static_cast<std::uint8_t>(value)) << i;
        EXPECT_EQ(values[i * 4 + 1], 7);
        EXPECT_EQ(values[i * 4 + 3], 1);
    }
}

TEST(MeshoptAttributes, HasOneTwoAndEightBits)
{
    // Long groups: 0 is one bit (lowest first), 1 two, 3 eight; one byte of the element per group.
    Stream stored = {0x00, 0x05, 0x80, 4, 6, 8}; // elements 0, 2 and 15 increase
    stored.insert(stored.end(), {0x01, 0b01'10'11'00, 0, 0, 0b00'00'00'11, 9, 2}); // -1, 1, -5; the last 1
    stored.push_back(0x03);
    for (std::uint8_t i = 0; i < 16; ++i)
        stored.push_back(static_cast<std::uint8_t>(2 * i));
    const auto values = decoded<std::uint8_t>(stream_of({1, 1, 1, zeros}, stored, {0, 10, 0, 0}, 0), 16);
    const auto of = [&](std::size_t element, std::size_t byte) { return int{values[element * 4 + byte]}; };
    EXPECT_EQ((std::array{of(0, 0), of(1, 0), of(2, 0), of(14, 0), of(15, 0)}), (std::array{2, 2, 5, 5, 9}));
    EXPECT_EQ((std::array{of(0, 1), of(1, 1), of(2, 1), of(3, 1), of(15, 1)}), (std::array{9, 10, 5, 5, 6}));
    EXPECT_EQ((std::array{of(0, 2), of(1, 2), of(2, 2), of(15, 2)}), (std::array{0, 1, 3, 120}));
}

TEST(MeshoptAttributes, HasStepsOfTwoBytesAndTurnedBits)
{
    // 300 and then -1 in the first two bytes; literal, byte by byte.
    const Stream steps = {0x58, 0x01, 0x02, 0x00};
    const auto pairs =
        decoded<std::uint16_t>(stream_of({literal, literal, zeros, zeros}, steps, {10, 0, 5, 0}, 1), 2);
    EXPECT_EQ(pairs, (std::vector<std::uint16_t>{310, 5, 309, 5}));
    // The difference was rotated left by four bits before it was stored.
    const Stream changes = {0xf0, 0x00, 0x00, 0x01};
    const auto words =
        decoded<std::uint32_t>(stream_of({literal, literal, zeros, zeros}, changes, {1, 0, 0, 0}, 0x42), 2);
    EXPECT_EQ(words, (std::vector<std::uint32_t>{0x0e, 0x1e}));
}

TEST(MeshoptAttributes, RejectsBrokenStreams)
{
    const vitrine::test::Grid grid(19);
    const std::size_t count = grid.positions.size() / 3;
    const std::string text = vitrine::test::meshopt_vertices_1(grid.positions.data(), count, 12);
    const Stream whole(text.begin(), text.end());
    std::vector<std::uint8_t> out(count * 12);
    ASSERT_TRUE(decode_meshopt_attributes(whole, 12, out));
    EXPECT_EQ(std::memcmp(out.data(), grid.positions.data(), out.size()), 0);
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_FALSE(decode_meshopt_attributes(std::span(whole).first(size), 12, out)) << size;
    const auto changed = [&](std::size_t at, std::uint8_t value) {
        Stream broken = whole;
        broken[at] = value;
        return decode_meshopt_attributes(broken, 12, out);
    };
    EXPECT_FALSE(changed(0, 0xa2)) << "a later version";
    EXPECT_FALSE(changed(whole.size() - 1, 3)) << "no channel mode";
    EXPECT_FALSE(changed(whole.size() - 1, 0x10)) << "bytes are not turned";
    Stream longer = whole;
    longer.insert(longer.begin() + 1, 0);
    EXPECT_FALSE(decode_meshopt_attributes(longer, 12, out)) << "a byte is left";
}

} // namespace
} // namespace vitrine::gltf
