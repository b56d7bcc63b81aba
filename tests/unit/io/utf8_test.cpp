// Bounds of well-formed UTF-8 (Unicode 15, table 3-7).

#include "loaders/base/utf8.hpp"

#include <string>

#include <gtest/gtest.h>

namespace vitrine {
namespace {

TEST(Utf8, FirstAndLastOfEachLengthAreValid)
{
    for (const std::string text : {"\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf",
                                   "\xee\x80\x80", "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
        EXPECT_TRUE(is_utf8(text));
        EXPECT_TRUE(is_utf8(text + "a" + text)) << "followed by others";
        if (text.size() > 1) {
            EXPECT_FALSE(is_utf8(text.substr(0, text.size() - 1))) << "cut off";
        }
    }
}

TEST(Utf8, NeighborsOfTheBoundsAreInvalid)
{
    for (const std::string text : {"\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf",
                                   "\xf4\x90\x80\x80", "\xf5\x80\x80\x80"})
        EXPECT_FALSE(is_utf8(text));
}

} // namespace
} // namespace vitrine
