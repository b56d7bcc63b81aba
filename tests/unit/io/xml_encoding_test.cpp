// Encodings of XML documents.

#include <gtest/gtest.h>

#include "tests/unit/io/parse_xml.hpp"

namespace vitrine::io {
namespace {

std::string with_declaration(std::string_view encoding, std::string_view name)
{
    return "<?xml version=\"1.0\" encoding=\"" + std::string(encoding) + "\"?><a n='" + std::string(name) +
           "'/>";
}

TEST(Xml, UsesTheDeclaredEncoding)
{
    const auto name = [](std::string_view encoding, std::string_view bytes) {
        const std::string text = with_declaration(encoding, bytes);
        const auto document = parse(text);
        return document ? std::string(document->root().attribute("n")) : document.error().detail;
    };
    EXPECT_EQ(name("windows-1251", "\xEA\xE8\xF0"), "кир");
    EXPECT_EQ(name("Shift_JIS", "\x89\x45\x98\x72"), "右腕");
    EXPECT_EQ(name("GBK", "\xC4\xA3"), "模") << "although it could be UTF-8";
    EXPECT_EQ(name("windows-1251", "кир"), "кир") << "saved again as UTF-8";
    EXPECT_EQ(name("Shift_JIS", "右腕"), "右腕");
    EXPECT_EQ(name("UTF-8", "\xEA"), "\xEA") << "kept for detection";
    const std::string marked = "\xEF\xBB\xBF" + with_declaration("windows-1251", "кир");
    EXPECT_EQ(parse(marked)->root().attribute("n"), "кир") << "the mark declares UTF-8";
}

TEST(Xml, ReadsEntitiesInTheDeclaredEncoding)
{
    const std::string text =
        "<?xml version='1.0' encoding = 'windows-1251' ?><!DOCTYPE a [<!ENTITY n '\xEA'>]>"
        "<a n='&n;\xE8'/>";
    const auto document = parse(text);
    ASSERT_TRUE(document) << document.error().detail;
    EXPECT_EQ(document->root().attribute("n"), "ки");
}

TEST(Xml, ReportsAnUnknownEncoding)
{
    const std::string other = with_declaration("x-klingon", "\xEA"),
                      plain = with_declaration("x-klingon", "a");
    EXPECT_EQ(parse(other)->unknown_encoding(), "x-klingon");
    EXPECT_EQ(parse(plain)->unknown_encoding(), "") << "the text is ASCII";
    const std::string cut = "<?xml version='1.0' encoding='windows-12";
    EXPECT_FALSE(parse(cut));
}

TEST(Xml, ReadsUtf16WithAndWithoutMark)
{
    const std::string ascii = "<a b='c'>" + numbers(100) + "</a>";
    for (const bool big : {false, true})
        for (const bool mark : {false, true}) {
            std::string text = mark ? (big ? "\xFE\xFF" : "\xFF\xFE") : "";
            for (const char c : ascii) {
                if (big) text += '\0';
                text += c;
                if (!big) text += '\0';
            }
            const auto document = parse(text);
            ASSERT_TRUE(document) << document.error().detail;
            EXPECT_EQ(document->root().attribute("b"), "c");
            EXPECT_EQ(document->root().text().size(), numbers(100).size() - 1);
        }
}

TEST(Xml, SkipsTheByteOrderMarkOfUtf8)
{
    const std::string text = "\xEF\xBB\xBF<a/>";
    EXPECT_TRUE(parse(text));
}

} // namespace
} // namespace vitrine::io
