#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/io/parse_xml.hpp"

namespace vitrine::io {
namespace {

TEST(Xml, ReadsElementsAttributesAndText)
{
    const std::string text =
        "<?xml version=\"1.0\"?>\n<a><!-- <no/> --><b id='x &lt;&#65;'> 1 2 </b><c/></a>";
    const auto document = parse(text);
    ASSERT_TRUE(document) << document.error().detail;
    const XmlNode root = document->root();
    EXPECT_EQ(root.name(), "a");
    EXPECT_EQ(root.child("b").attribute("id"), "x <A");
    EXPECT_TRUE(root.child("b").has_attribute("id"));
    EXPECT_EQ(root.child("b").text(), "1 2");
    EXPECT_EQ(root.child("b").next("c").name(), "c");
    EXPECT_EQ(root.child("c").parent(), root);
    EXPECT_EQ(root.child("b").where(), "line 2");
    EXPECT_FALSE(root.parent().exists());
    int count = 0;
    for (const XmlNode child : root)
        count += child.exists() ? 1 : 0;
    EXPECT_EQ(count, 2);
}

TEST(Xml, AbsentStaysAbsent)
{
    const std::string text = "<a/>";
    const auto document = parse(text);
    const XmlNode none = document->root().child("b").child("c").next("d");
    EXPECT_FALSE(none.exists());
    EXPECT_EQ(none.text(), "");
    EXPECT_EQ(none.attribute("x"), "");
    EXPECT_EQ(none.name(), "");
    EXPECT_EQ(none.where(), "");
}

TEST(Xml, LongTextIsNotCopied)
{
    const std::string array = numbers(1000);
    const std::string text = "<a>\n<b>\n" + array + "</b>\n<b>7</b><c></c></a>";
    const auto document = parse(text);
    ASSERT_TRUE(document);
    const XmlNode b = document->root().child("b");
    EXPECT_EQ(b.text(), array.substr(0, array.size() - 1));
    EXPECT_GE(b.text().data(), text.data());
    EXPECT_LT(b.text().data(), text.data() + text.size());
    EXPECT_EQ(b.next("b").text(), "7");
    EXPECT_EQ(b.next("b").where(), "line 4");
    EXPECT_EQ(b.next("c").text(), "");
}

TEST(Xml, TrimsWhiteSpaceOfAttributes)
{
    const auto document = parse("<r a=' #x ' b='\n two words\t' c='  ' d='&#32;y&#10;'/>");
    ASSERT_TRUE(document);
    EXPECT_EQ(document->root().attribute("a"), "#x");
    EXPECT_EQ(document->root().attribute("b"), "two words");
    EXPECT_EQ(document->root().attribute("c"), "");
    EXPECT_TRUE(document->root().has_attribute("c"));
    EXPECT_EQ(document->root().attribute("d"), "y");
}

TEST(Xml, JoinsLongTextWithReferencesAndPieces)
{
    const std::string a = numbers(100), b = numbers(200);
    const std::string text = "<r><x>" + a + "&#49;" + "</x><y>" + a + "<!-- " + b + " --><![CDATA[" + b +
                             "]]>" + a + "</y><z" + std::string(200, ' ') + "q='" + b + "<>'>" +
                             std::string(200, '\n') + "</z></r>";
    const auto good = parse(text);
    ASSERT_TRUE(good) << good.error().detail;
    const XmlNode root = good->root();
    EXPECT_EQ(root.child("x").text(), a + "1");
    EXPECT_EQ(root.child("y").text(), a + b + a.substr(0, a.size() - 1));
    EXPECT_EQ(root.child("z").attribute("q"), b + "<>");
    EXPECT_EQ(root.child("z").text(), "");
}

// Repeated queries for an array in several pieces must not copy it again.
TEST(Xml, PiecesAreJoinedOnce)
{
    const std::string text = "<a><b>1 2<!-- 3 --> 4<![CDATA[ 5]]></b></a>";
    const auto document = parse(text);
    ASSERT_TRUE(document) << document.error().detail;
    const XmlNode b = document->root().child("b");
    EXPECT_EQ(b.text(), "1 2 4 5");
    EXPECT_EQ(b.text().data(), b.text().data());
}

TEST(Xml, UsesTheFirstOfThousandsOfAttributes)
{
    std::string text = "<a first='1'";
    for (int i = 0; i < 2000; ++i)
        text.append(" x").append(std::to_string(i)).append("=''");
    text += " last='2'/>";
    const auto document = parse(text);
    ASSERT_TRUE(document) << document.error().detail;
    EXPECT_EQ(document->root().attribute("first"), "1");
    EXPECT_TRUE(document->root().has_attribute("x200"));
    EXPECT_FALSE(document->root().has_attribute("last"));
}

TEST(Xml, KeepsWhiteSpaceBetweenPieces)
{
    const std::string text =
        "<r>\n <!-- c -->\n <x>0<!-- c --> <!-- c -->1</x> <?p?> <y>2<?p x?>\n<?p x?>3</y>"
        "<z>4<![CDATA[ ]]>5<![CDATA[6]]>7</z><w><!-- c --> <!-- c --></w></r>";
    const auto good = parse(text);
    ASSERT_TRUE(good) << good.error().detail;
    const XmlNode root = good->root();
    EXPECT_EQ(root.child("x").text(), "0 1");
    EXPECT_EQ(root.child("y").text(), "2\n3");
    EXPECT_EQ(root.child("z").text(), "4 567");
    EXPECT_EQ(root.child("w").text(), "");
    EXPECT_EQ(root.text(), "");
    EXPECT_EQ(root.child("w").where(), "line 4");
}

TEST(Xml, RemovesNamespacePrefixes)
{
    const std::string text = "<dae:COLLADA xmlns:dae='x'><dae:asset xml:base='y'/></dae:COLLADA>";
    const auto document = parse(text);
    ASSERT_TRUE(document);
    EXPECT_TRUE(document->root().is("COLLADA"));
    EXPECT_EQ(document->root().child("asset").attribute("base"), "y");
}

TEST(Xml, ExpandsDeclaredEntities)
{
    const std::string text =
        "<?xml version='1.0'?><!-- <!ENTITY p 'no'> -->\n<!DOCTYPE a [\n<!ENTITY % q 'no'><!-- \" -->\n"
        "<!ENTITY p \"5 0 0\"><!ENTITY p 'late'><!ENTITY two '&p; &p;'><!ENTITY node '<n at=\"&#38;lt;\"/>'>"
        "<!ENTITY f SYSTEM 'file:///etc/passwd'>]>\n<a x='&p;!'>&two;&amp;&#65;&node;<![CDATA[&p;]]></a>";
    const auto document = parse(text);
    ASSERT_TRUE(document) << document.error().detail;
    EXPECT_EQ(document->root().attribute("x"), "5 0 0!");
    EXPECT_EQ(document->root().text(), "5 0 0 5 0 0&A&p;");
    EXPECT_EQ(document->root().child("n").attribute("at"), "<");
    EXPECT_EQ(document->root().where(), "line 5");
    EXPECT_EQ(document->unknown_entity(), "");
}

TEST(Xml, KeepsExternalEntitiesAsWritten)
{
    const std::string text =
        "<!DOCTYPE a SYSTEM 'x.dtd' [<!ENTITY f SYSTEM 'file:///etc/passwd'>]><a>&f;&; &g</a>";
    const auto document = parse(text);
    ASSERT_TRUE(document) << document.error().detail;
    EXPECT_EQ(document->root().text(), "&f;&; &g");
    EXPECT_EQ(document->unknown_entity(), "f");
}

TEST(Xml, LimitsEntities)
{
    std::string bomb = "<!DOCTYPE a [<!ENTITY e0 \"lol\">", nothing = "<!DOCTYPE a [<!ENTITY e0 ''>";
    for (int i = 1; i < 10; ++i)
        for (std::string* text : {&bomb, &nothing}) {
            *text += "\n<!ENTITY e" + std::to_string(i) + " '";
            for (int n = 0; n < 10; ++n)
                *text += "&e" + std::to_string(i - 1) + ";";
            *text += "'>";
        }
    for (const std::string& text : {bomb, nothing}) {
        const auto rejected = parse(text + "]>\n<a>&e9;</a>");
        ASSERT_FALSE(rejected);
        EXPECT_EQ(rejected.error().code, LoadErrc::limit_exceeded);
        EXPECT_EQ(rejected.error().where, "line 11");
        EXPECT_NE(rejected.error().detail.find("of the limit file_bytes = 2147483648"), std::string::npos);
    }
    EXPECT_TRUE(parse("<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", {.file_bytes = 2048}));
    EXPECT_FALSE(parse("<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;&x;</a>", {.file_bytes = 2048}));
    const auto cycle = parse("<!DOCTYPE a [<!ENTITY x '&y;'><!ENTITY y '&x;'>]><a>&x;</a>");
    ASSERT_FALSE(cycle);
    EXPECT_EQ(cycle.error().code, LoadErrc::malformed);
    EXPECT_EQ(cycle.error().detail, "the entity 'x' contains itself");
    EXPECT_TRUE(parse("<!DOCTYPE a [<!ENTITY x '&x;'>]><a/>")); // not referenced
}

TEST(Xml, RejectsInvalidTextWithItsLine)
{
    const auto mismatch = parse("<a>\n<b>\n</c></a>");
    ASSERT_FALSE(mismatch);
    EXPECT_EQ(mismatch.error().code, LoadErrc::malformed);
    EXPECT_EQ(mismatch.error().where, "line 3");
    const auto cut = parse("<a>\n<b>\n");
    ASSERT_FALSE(cut);
    EXPECT_EQ(cut.error().code, LoadErrc::truncated);
    EXPECT_EQ(cut.error().where, "line 2") << "the line of the open element";
    EXPECT_EQ(parse("<a b='").error().code, LoadErrc::truncated);
    EXPECT_EQ(parse("<a>\n<b/>\n<c d='1'\n").error().where, "line 3");
    EXPECT_EQ(parse("no markup at all").error().code, LoadErrc::malformed);
    EXPECT_EQ(parse("").error().code, LoadErrc::malformed);
    EXPECT_FALSE(parse("<"));
    EXPECT_FALSE(parse("<!"));
}

TEST(Xml, LocatesAMissingOrSuperfluousQuote)
{
    for (const auto* tag : {"<b c='1/>", "<b c='1'2'/>"}) {
        const auto broken = parse(std::string("<a>\n<d e='f'/>\n") + tag + "\n<d e='f'/>\n</a>\n");
        ASSERT_FALSE(broken) << tag;
        EXPECT_EQ(broken.error().code, LoadErrc::malformed) << tag;
        EXPECT_EQ(broken.error().where, "line 3") << tag;
    }
}

TEST(Xml, ReportsANullCharacter)
{
    using namespace std::string_literals;
    for (const auto& text : {"<a>\n<b\0c/></a>"s, "<a>\n1 \0 2</a>"s, "<a>\n<b c='\0'/></a>"s}) {
        const auto broken = parse(text);
        ASSERT_FALSE(broken) << text;
        EXPECT_EQ(broken.error().where, "line 2") << text;
        EXPECT_THAT(broken.error().detail, testing::HasSubstr("null character")) << text;
    }
    EXPECT_THAT(parse("<a>\n</b>\0</a>"s).error().detail,
                testing::HasSubstr("does not match the open element"));
}

TEST(Xml, LimitsNestingAndSize)
{
    std::string text;
    for (int i = 0; i < 600; ++i)
        text += "<a>";
    const auto deep = parse(text);
    ASSERT_FALSE(deep);
    EXPECT_EQ(deep.error().code, LoadErrc::limit_exceeded);
    Limits small;
    small.file_bytes = 3;
    EXPECT_EQ(parse("<a/>", small).error().code, LoadErrc::limit_exceeded);
}

TEST(Xml, DocumentsCanBeMoved)
{
    const std::string text = "<a><b>1</b></a>";
    auto document = parse(text);
    const XmlNode b = document->root().child("b");
    const XmlDocument moved = std::move(*document);
    EXPECT_EQ(b.text(), "1");
    EXPECT_EQ(moved.root().child("b"), b);
}

} // namespace
} // namespace vitrine::io
