#include <gtest/gtest.h>

#include <array>
#include <string>

#include "loaders/io/text/encoding.hpp"

namespace {

using namespace vitrine;
using io::TextEncoding;

TextEncoding guess(std::string_view text)
{
    return io::detect_encoding({&text, 1});
}

TEST(TextEncoding, Utf8IsKept)
{
    EXPECT_EQ(io::to_utf8("K\xC3\xB6rper"), "K\u00F6rper");
    EXPECT_EQ(io::to_utf8("\xE9\xAA\xA8"), "\u9AA8");
    EXPECT_EQ(io::to_utf8("K\xC3\xB6rper", TextEncoding::gbk), "K\u00F6rper")
        << "although the other names are GBK";
    EXPECT_EQ(io::to_utf8("K\xC3\xB6rper\xE9\xAA"), "K\u00F6rper") << "truncated by a field of fixed length";
    EXPECT_EQ(io::to_utf8("plain"), "plain");
    EXPECT_EQ(io::to_utf8(""), "");
    EXPECT_EQ(guess("plain"), TextEncoding::utf8);
}

TEST(TextEncoding, WesternNamesAreWindows1252)
{
    EXPECT_EQ(io::to_utf8("pl\xE4tz \x80"), "pl\u00E4tz \u20AC");
    EXPECT_EQ(io::to_utf8("Th\xE9\xE2tre"), "Th\u00E9\u00E2tre");
    EXPECT_EQ(io::to_utf8("Gr\xF6\xDF"
                          "e"),
              "Gr\u00F6\u00DFe");
    EXPECT_EQ(io::to_utf8("cr\xE9\xE9"
                          "e"),
              "cr\u00E9\u00E9e");
    EXPECT_EQ(io::to_utf8("\xC9l\xE9phant"), "\u00C9l\u00E9phant");
    EXPECT_EQ(io::to_utf8("\xD1"
                          "and\xFA"),
              "\u00D1and\u00FA");
    EXPECT_EQ(io::to_utf8("Stra\xDF"
                          "e"),
              "Stra\u00DFe");
    EXPECT_EQ(io::to_utf8("\xE9"), "\u00E9");
    EXPECT_EQ(io::to_utf8("\xA9 2001"), "\u00A9 2001");
    EXPECT_EQ(io::to_utf8("a\x81z"), "a\uFFFDz") << "undefined in Windows-1252";
}

TEST(TextEncoding, JapaneseNamesAreShiftJis)
{
    EXPECT_EQ(io::to_utf8("\x93\xAA"), "\u982D");
    EXPECT_EQ(io::to_utf8("\x83\x5A\x83\x93\x83\x5E\x81\x5B"), "\u30BB\u30F3\u30BF\u30FC")
        << "a trail byte may be ASCII, a backslash too";
    EXPECT_EQ(io::to_utf8("\x83\x5C"), "\u30BD");
    EXPECT_EQ(io::to_utf8("\x8D\xB6\x82\xD0\x82\xB4_01"), "\u5DE6\u3072\u3056_01");
    EXPECT_EQ(io::to_utf8("\x93\xFA\x96\x7B\x8C"), "\u65E5\u672C") << "truncated by a field of fixed length";
}

TEST(TextEncoding, ChineseNamesAreGbk)
{
    EXPECT_EQ(io::to_utf8("\xB9\xC7\xF7\xC0"), "\u9AA8\u9ABC");
    EXPECT_EQ(io::to_utf8("\xCA\xD6\xB1\xDB.L"), "\u624B\u81C2.L");
    EXPECT_EQ(io::to_utf8("\xCC\xE5"
                          "1"),
              "\u4F531");
    EXPECT_EQ(io::to_utf8("Bip01 \xD7\xF3\xCA\xD6"), "Bip01 \u5DE6\u624B");
}

// Half-width katakana and hanzi share their bytes; the other names of the file decide.
TEST(TextEncoding, AllNamesOfAFileDecideTogether)
{
    constexpr std::string_view short_name = "\xC3\xB7\xBD\xC4";
    const std::array<std::string_view, 3> japanese{short_name, "\x83\x7B\x81\x5B\x83\x93", "box"};
    const std::array<std::string_view, 2> chinese{short_name, "\xB2\xC4\xD6\xCA"};
    EXPECT_EQ(io::to_utf8(short_name, io::detect_encoding(japanese)), "\uFF83\uFF77\uFF7D\uFF84");
    EXPECT_EQ(io::detect_encoding(chinese), TextEncoding::gbk);
    EXPECT_EQ(io::detect_encoding({}), TextEncoding::utf8);
}

TEST(TextEncoding, ReplacesInvalidBytesAndControlCharacters)
{
    EXPECT_EQ(io::to_utf8("a\tb\x01\x7F"), "a b  ");
    EXPECT_EQ(io::to_utf8(std::string_view("a\0b", 3)), "a b");
    EXPECT_EQ(io::to_utf8("\xC0\xAF", TextEncoding::windows_1252), "\u00C0\u00AF") << "overlong";
    EXPECT_EQ(io::to_utf8("\xED\xA0\x80", TextEncoding::windows_1252), "\u00ED\u00A0\u20AC") << "a surrogate";
    EXPECT_EQ(io::to_utf8("\xFF\xFF\xFF", TextEncoding::gbk), "\uFFFD\uFFFD\uFFFD");
    EXPECT_EQ(io::to_utf8("\xF0\x40\x41", TextEncoding::shift_jis), "\uFFFD@A") << "private use";
    for (unsigned a = 0; a < 256; ++a) {
        for (unsigned b = 0; b < 256; ++b) {
            const std::string text{static_cast<char>(a), static_cast<char>(b)};
            const std::string once = io::to_utf8(text);
            ASSERT_EQ(io::to_utf8(once), once) << a << ' ' << b << ": the result is UTF-8";
        }
    }
}

} // namespace
