#include "loaders/obj/scan.hpp"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace vitrine::obj {
namespace {

struct Scanned {
    std::uint32_t index;
    std::ptrdiff_t length;
    bool operator==(const Scanned&) const = default;
};

Scanned scan(std::string text, unsigned expected)
{
    text += std::string(padding, '\n');
    const char* at = text.data();
    const std::uint32_t index = scan_uniform_corner(at, expected);
    return {index, at - text.data()};
}

TEST(ObjScan, ReadsACornerOfOneIndex)
{
    std::string digits;
    for (std::uint32_t expected = 1, index = 0; expected <= 7; ++expected) {
        digits += static_cast<char>('0' + expected);
        index = index * 10 + expected;
        for (const char end : {' ', '\t', '\n', '\r'}) {
            const std::string corner = fmt::format("{0}/{0}/{0}", digits);
            EXPECT_EQ(scan(corner + end + "8/8/8", expected),
                      (Scanned{index, static_cast<std::ptrdiff_t>(corner.size())}));
        }
    }
}

TEST(ObjScan, LeavesOtherCornersAlone)
{
    const std::string good = "123/123/123";
    EXPECT_EQ(scan(good, 3), (Scanned{123, 11}));
    for (const unsigned expected : {0u, 1u, 2u, 4u, 5u, 6u, 7u})
        EXPECT_EQ(scan(good, expected), (Scanned{0, 0})) << expected;
    // With each character changed.
    for (std::size_t at = 0; at < good.size(); ++at) {
        for (const char c : {'0', '9', '/', '-', ' ', '\n', 'a', ':', '.'}) {
            std::string other = good;
            other[at] = c;
            if (other != good) EXPECT_EQ(scan(other, 3), (Scanned{0, 0})) << other;
        }
    }
    for (const char* other : {"123", "123/123", "123//123", "123/123/", "123/123/1234", "123/123/123/123",
                              "123/123/123\\", "123/123/123e", "-12/-12/-12"})
        EXPECT_EQ(scan(other, 3), (Scanned{0, 0})) << other;
}

} // namespace
} // namespace vitrine::obj
