#include "loaders/io/text/code_page.hpp"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace vitrine::io {
namespace {

std::string decoded(std::string_view label, std::string_view bytes)
{
    const auto page = CodePage::find(label);
    return page ? page->to_utf8(bytes) : "no code page";
}

TEST(CodePage, FindsSingleByteEncodings)
{
    EXPECT_EQ(decoded("windows-1251", "\xEA\xE8\xF0\xEF\xE8\xF7.png"), "кирпич.png");
    EXPECT_EQ(decoded("CP1251", "\xEA"), "к");
    EXPECT_EQ(decoded("Windows-1250", "ceg\xB3"
                                      "a"),
              "cegła");
    EXPECT_EQ(decoded("ISO-8859-2", "ceg\xB3"
                                    "a"),
              "cegła");
    EXPECT_EQ(decoded("iso-8859-1", "M\xFChle \x80"), "Mühle €") << "as in the Encoding Standard";
    EXPECT_EQ(decoded("iso-8859-5", "\xDA\xD8\xE0"), "кир");
    EXPECT_EQ(decoded("iso-8859-9", "\xFEi\xFE"), "şiş");
    EXPECT_EQ(decoded("KOI8-R", "\xCB\xC9\xD2"), "кир");
    EXPECT_EQ(decoded("windows-1253", "\xE1"), "α");
    EXPECT_EQ(decoded("windows-1255", "\xE0"), "א");
    EXPECT_EQ(decoded("windows-1256", "\xC8"), "ب");
    EXPECT_EQ(decoded("windows-1258", "\xE2"), "â") << "a letter that may take a combining mark";
    EXPECT_EQ(decoded("TIS-620", "\xA1"), "ก");
    EXPECT_EQ(decoded("macintosh", "M\x9Fhle"), "Mühle");
    EXPECT_EQ(decoded("IBM850", "M\x81hle"), "Mühle");
}

TEST(CodePage, FindsTwoByteEncodings)
{
    EXPECT_EQ(decoded("Shift_JIS", "\x89\x45\x98\x72 \xB1"), "右腕 ｱ");
    EXPECT_EQ(decoded("EUC-JP", "\xB1\xA6\xCF\xD3 \x8E\xB1"), "右腕 ｱ");
    EXPECT_EQ(decoded("euc-jp", "\xF4\xA4\xB0\xA1"), "瑤亜")
        << "the last row with characters, and an undefined one";
    EXPECT_EQ(decoded("GB2312", "\xD3\xD2\xB1\xDB"), "右臂");
    EXPECT_EQ(decoded("gb18030", "\xD3\xD2"), "右");
    EXPECT_EQ(decoded("EUC-KR", "\xC6\xC8"), "팔");
    EXPECT_EQ(decoded("ks_c_5601-1987", "\x81\x41"), "갂") << "added by Windows";
    EXPECT_EQ(decoded("Big5", "\xA5\x6B\xC1\x75"), "右臂");
}

TEST(CodePage, ReplacesInvalidBytes)
{
    EXPECT_EQ(decoded("windows-1253", "a\xD2z"), "a\uFFFDz");
    EXPECT_EQ(decoded("Big5", "\x81\x30<b>"), "\uFFFD0<b>") << "markup after a lead byte is kept";
    EXPECT_EQ(decoded("Big5", "a\xA5"), "a") << "truncated at the end";
    EXPECT_EQ(decoded("EUC-JP", "\x8F\xB0\xA1z"), "\uFFFDz") << "JIS X 0212";
    EXPECT_EQ(decoded("EUC-JP", "\x8E\xFEz"), "\uFFFDz");
    EXPECT_EQ(decoded("EUC-JP", "\xFE\xFEz"), "\uFFFDz") << "a row without characters";
    EXPECT_EQ(decoded("EUC-JP", "a\x8F\xB0"), "a");
    EXPECT_EQ(decoded("EUC-JP", "\x80z"), "\uFFFDz");
    EXPECT_EQ(decoded("Shift_JIS", std::string_view("\0\n\t", 3)), std::string("\0\n\t", 3));
    EXPECT_TRUE(CodePage::find("Big5")->is_valid("\xA5\x6B<a>"));
    EXPECT_FALSE(CodePage::find("Big5")->is_valid("\xA5\x6B\xA5"));
    EXPECT_FALSE(CodePage::find("windows-1253")->is_valid("\xD2"));
}

TEST(CodePage, RejectsOtherLabels)
{
    for (const std::string_view label : {"utf-8", "UTF8", "utf-16", "US-ASCII", ""}) {
        EXPECT_TRUE(needs_no_code_page(label)) << label;
        EXPECT_FALSE(CodePage::find(label)) << label;
    }
    for (const std::string_view label : {"klingon", "windows-", "windows-12511", "CP"}) {
        EXPECT_FALSE(needs_no_code_page(label)) << label;
        EXPECT_FALSE(CodePage::find(label)) << label;
    }
}

} // namespace
} // namespace vitrine::io
