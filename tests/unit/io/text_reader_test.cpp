#include "loaders/io/text/number_scanner.hpp"
#include "loaders/io/text/text_reader.hpp"

#include <bit>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "loaders/io/text/warning_log.hpp"

using namespace vitrine;
using io::TextReader;

namespace {

Bytes bytes_of(std::string_view text)
{
    return std::as_bytes(std::span(text.data(), text.size()));
}

double number_of(std::string_view text)
{
    return io::parse_number(text).value_or(-12345.0);
}

} // namespace

TEST(TextReader, SplitsWordsStringsAndPunctuation)
{
    TextReader in("vert 0(0.5 1)\n\"two words\" { } // end");
    EXPECT_EQ(in.next().text, "vert");
    EXPECT_EQ(in.integer("index", 0, 9), 0);
    in.expect("(");
    EXPECT_EQ(in.number("u"), 0.5);
    EXPECT_EQ(in.number("v"), 1.0);
    in.expect(")");
    EXPECT_EQ(in.peek().line, 2u);
    EXPECT_FALSE(in.accept("two words")); // quoted: not a keyword
    EXPECT_EQ(in.string("name"), "two words");
    EXPECT_TRUE(in.accept("{"));
    EXPECT_TRUE(in.accept("}"));
    EXPECT_TRUE(in.at_end());
    EXPECT_FALSE(in.failed());
}

TEST(TextReader, ReadsASimpleLineByPattern)
{
    TextReader in("vert 7 ( 0.25\t-1.5)3 4294967295 // last\nvert");
    in.expect("vert");
    double n[5] = {};
    ASSERT_TRUE(in.take_pattern("i(nn)ii", n));
    EXPECT_EQ(n[0], 7.0);
    EXPECT_EQ(n[1], 0.25);
    EXPECT_EQ(n[2], -1.5);
    EXPECT_EQ(n[3], 3.0);
    EXPECT_EQ(n[4], 4294967295.0);
    EXPECT_EQ(in.peek().text, "vert");
    EXPECT_EQ(in.peek().line, 2u);
    EXPECT_EQ(in.comment(), " last");
}

TEST(TextReader, LeavesOtherLinesToTheTokenizer)
{
    for (const std::string_view text : {"1e3 2\n",
                                        "+1 2\n",
                                        "1 \n2\n",
                                        "1 4/**/2\n",
                                        "1 2",
                                        "\"1\" 2\n",
                                        "1 2\"x\"\n",
                                        "1 2x\n",
                                        "1.2.3 2\n",
                                        "1 1000001\n",
                                        "1 0.1234567890123456\n",
                                        "- 2\n",
                                        "4294967296 2\n",
                                        "-1 2\n",
                                        "1. 2\n",
                                        "(1 2\n",
                                        "1\n",
                                        "\n",
                                        "",
                                        "{ 1 2\n",
                                        "nan 2\n"}) {
        TextReader in(text), same(text);
        double n[2] = {};
        EXPECT_FALSE(in.take_pattern("in", n)) << text;
        while (!same.at_end())
            EXPECT_EQ(in.next().text, same.next().text) << text;
        EXPECT_TRUE(in.at_end()) << text;
    }
}

TEST(TextReader, ReadsShortNumbersToTheNearestDouble)
{
    for (const std::string text : {"0.1", "-0", "123456789012.345", "0.000000000000001", ".5", "5.", "-.25",
                                   "999999999999999", "0.30000000000000004", "9007199254740993", "1e-7"}) {
        const std::string line = text + "\n";
        TextReader in(line);
        const double expected = std::strtod(text.c_str(), nullptr);
        EXPECT_EQ(std::bit_cast<std::uint64_t>(in.number("n")), std::bit_cast<std::uint64_t>(expected))
            << text;
    }
}

TEST(TextReader, CountsAllKindsOfLineEnds)
{
    TextReader in("a\nb\r\nc\rd /* 5\n6 */ e");
    for (const std::uint32_t line : {1u, 2u, 3u, 4u, 5u})
        EXPECT_EQ(in.next().line, line);
}

TEST(TextReader, KeepsTheCommentBeforeAToken)
{
    TextReader in("mesh {\n // meshes: body \r\n shader");
    in.expect("mesh");
    in.expect("{");
    EXPECT_EQ(in.comment(), " meshes: body ");
    in.next();
    EXPECT_EQ(in.comment(), "");
}

TEST(TextReader, FailureIsSticky)
{
    TextReader in("numverts x\nvert 1");
    in.expect("numverts");
    EXPECT_EQ(in.integer("numverts", 0, 10), 0);
    ASSERT_TRUE(in.failed());
    EXPECT_EQ(in.error().code, LoadErrc::malformed);
    EXPECT_EQ(in.error().where, "line 1");
    EXPECT_EQ(in.error().detail, "numverts should be here instead of 'x'");
    in.expect("vert");
    EXPECT_TRUE(in.at_end());
    EXPECT_EQ(in.error().where, "line 1");
}

TEST(TextReader, ReportsTheLineOfAnInvalidNumber)
{
    TextReader in("1\n7\n3");
    in.next();
    EXPECT_EQ(in.integer("count", 0, 5), 0);
    EXPECT_EQ(in.error().where, "line 2");
    EXPECT_EQ(in.error().code, LoadErrc::out_of_range);
    TextReader half("0.5");
    half.integer("count", 0, 5);
    EXPECT_EQ(half.error().code, LoadErrc::out_of_range);
    TextReader endless("1e999");
    endless.number("x");
    EXPECT_EQ(endless.error().code, LoadErrc::out_of_range);
    TextReader nan("nan");
    nan.number("x");
    EXPECT_EQ(nan.error().code, LoadErrc::out_of_range);
    TextReader ended("");
    ended.number("x");
    EXPECT_EQ(ended.error().code, LoadErrc::truncated);
}

TEST(TextReader, HandlesUnclosedStringsAndComments)
{
    TextReader string("\"open\nnext");
    EXPECT_EQ(string.next().text, "open");
    EXPECT_EQ(string.next().text, "next");
    EXPECT_TRUE(TextReader("/* open").at_end());
    EXPECT_EQ(TextReader("/").next().text, "/");
    EXPECT_TRUE(TextReader("//").at_end());
}

TEST(Number, ReadsEverySpelling)
{
    EXPECT_EQ(number_of("1."), 1.0);
    EXPECT_EQ(number_of(".5"), 0.5);
    EXPECT_EQ(number_of("-.5e1"), -5.0);
    EXPECT_EQ(number_of("+1e-3"), 1e-3);
    EXPECT_EQ(number_of("1E+02"), 100.0);
    EXPECT_EQ(number_of("0.1"), 0.1);
    for (const char* none : {"", "+", "-", "+-1", "1,5", "x", ".", "1 ", "--1", "1e"}) {
        EXPECT_FALSE(io::parse_number(none)) << none;
    }
}

TEST(Text, RemovesMarksAndConvertsUtf16)
{
    std::string storage;
    EXPECT_EQ(io::as_text(bytes_of("\xEF\xBB\xBFv 1"), storage), "v 1");
    EXPECT_EQ(io::as_text(bytes_of("v 1"), storage), "v 1");
    EXPECT_EQ(io::as_text(bytes_of(std::string_view("\xFE\xFF\0v\0 \xD8\x3D\xDE\x00", 10)), storage),
              "v \U0001F600");
    EXPECT_EQ(io::as_text(bytes_of(std::string_view("\xFF\xFEv\0\0\xD8z", 7)), storage), "v\uFFFD");
    EXPECT_EQ(
        io::as_text(bytes_of(std::string_view("\xFF\xFE\0\0v\0\0\0\x00\xF6\x01\0\0\xD8\0\0", 16)), storage),
        "v\U0001F600\uFFFD")
        << "UTF-32";
    EXPECT_EQ(io::as_text(bytes_of(std::string_view("\0\0\xFE\xFF\0\0\0v\x7F", 9)), storage), "v");
    EXPECT_EQ(io::as_text(bytes_of(""), storage), "");
}

TEST(Text, QuotesAnExcerptOfTheFile)
{
    EXPECT_EQ(io::shown("a\nb"), "'a b'");
    EXPECT_EQ(io::shown("Gr\xC3\xBCn.png"), "'Gr\xC3\xBCn.png'");
    EXPECT_EQ(io::shown("Gr\xFCn.png"), "'Gr\xC3\xBCn.png'") << "Windows-1252";
    EXPECT_EQ(io::shown(std::string(39, 'x') + "\xC3\xBC"), "'" + std::string(39, 'x') + "...'");
    EXPECT_EQ(io::shown(std::string(50, 'x')), "'" + std::string(40, 'x') + "...'");
}

TEST(WarningLog, KeepsTheFirstOfACodeAndCountsTheOthers)
{
    io::WarningLog log;
    for (int i = 0; i < 1000; ++i)
        log.add("often", "again", "line " + std::to_string(i));
    log.add("once", "here", "line 5");
    const auto warnings = log.take();
    ASSERT_EQ(warnings.size(), io::WarningLog::max_per_code + 2);
    EXPECT_EQ(warnings[0].where, "line 0");
    EXPECT_EQ(warnings.back().message, "992 more of the same after this location");
    EXPECT_EQ(warnings.back().code, "often");
    EXPECT_EQ(warnings.back().where, "line 7");
    EXPECT_TRUE(log.take().empty());
}

TEST(WarningLog, CountsRepeatedWarningsOnce)
{
    io::WarningLog log;
    for (int i = 0; i < 1000; ++i)
        log.add("image", "it is not there", "/images/0");
    log.add("image", "it is not there", "/images/1");
    EXPECT_EQ(log.take().size(), 2u);
}

TEST(WarningLog, NamesOtherFilesThanTheMainOne)
{
    io::WarningLog log;
    log.add("a", "one", "line 3");
    log.enter_file("walk.md5anim");
    log.add("a", "two", "line 3");
    if (log.accepts("a")) log.store("a", "a\tb", "line 4");
    log.enter_file("");
    log.add("a", "one", "line 4");
    const auto warnings = log.take();
    ASSERT_EQ(warnings.size(), 4u);
    EXPECT_EQ(warnings[0].where, "line 3");
    EXPECT_EQ(warnings[1].where, "walk.md5anim: line 3");
    EXPECT_EQ(warnings[2].where, "walk.md5anim: line 4");
    EXPECT_EQ(warnings[2].message, "a b") << "control characters of names are removed";
    EXPECT_EQ(warnings[3].where, "line 4");
}
