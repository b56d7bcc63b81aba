#include <string>

#include <span>

#include <gtest/gtest.h>

#include "loaders/io/json/json.hpp"
#include "loaders/io/json/json_error.hpp"

namespace vitrine::io {
namespace {

TEST(JsonError, IsTheFirstInvalidByte)
{
    const auto at = [](std::string_view text) { return find_json_error(text); };
    EXPECT_EQ(at(R"({"a":})"), 5u);
    EXPECT_EQ(at("[1,]"), 3u);
    EXPECT_EQ(at("{\"a\":1,}"), 7u);
    EXPECT_EQ(at("{\"a\" 1}"), 5u);
    EXPECT_EQ(at("[1 2]"), 3u);
    EXPECT_EQ(at("[1}"), 2u);
    EXPECT_EQ(at("{}{}"), 2u);
    EXPECT_EQ(at("nul!"), 3u);
    EXPECT_EQ(at("[01]"), 2u);
    EXPECT_EQ(at("[-]"), 2u);
    EXPECT_EQ(at("[1.]"), 3u);
    EXPECT_EQ(at("[1e+]"), 4u);
    EXPECT_EQ(at("[.5]"), 1u);
    EXPECT_EQ(at("[\"\\x\"]"), 3u);
    EXPECT_EQ(at("[\"\\u12g4\"]"), 6u);
    EXPECT_EQ(at("[\"a\nb\"]"), 3u);
    EXPECT_EQ(at("// no comments"), 0u);
}

TEST(JsonError, IsTheEndOfTruncatedText)
{
    for (const std::string_view text : {"", "  ", "{", "[1,", "[\"a", "{\"a\"", "[\"\\", "-", "tr"})
        EXPECT_EQ(find_json_error(text), text.size()) << text;
}

TEST(JsonError, IsNoneInValidJson)
{
    for (const std::string_view text :
         {"{}", " [ ] ", "0", "-1.5e-7", "[true,false,null]", R"({"a":[{"b":"\u00e4\n"}],"c":{}})", "1e999"})
        EXPECT_EQ(find_json_error(text), std::string_view::npos) << text;
}

TEST(JsonError, HandlesAnyNestingDepth)
{
    EXPECT_EQ(find_json_error(std::string(1'000'000, '[')), 1'000'000u);
}

TEST(JsonError, LocationsAreLinesAndColumns)
{
    EXPECT_EQ(line_and_column("[1,]", 3), "byte 3");
    EXPECT_EQ(line_and_column("[\n1,\n]", 0), "line 1, column 1");
    EXPECT_EQ(line_and_column("[\n1,\n]", 5), "line 3, column 1");
    EXPECT_EQ(line_and_column("[\n 1", 4), "line 2, column 3");
}

TEST(JsonError, IsPartOfTheLoadError)
{
    const auto where = [](std::string_view text) {
        const auto document = JsonDocument::parse(std::as_bytes(std::span(text)), {});
        return document ? std::string("none") : document.error().where;
    };
    EXPECT_EQ(where("{\n  \"asset\": {},\n  \"meshes\": [,]\n}"), "line 3, column 14");
    EXPECT_EQ(where(R"({"asset":{)"), "byte 10");
    EXPECT_EQ(where("\xEF\xBB\xBF[1,]"), "byte 6") << "the mark is counted";
    EXPECT_EQ(where("[\n\"\\ud8zz\"]"), "line 2, column 6");
    EXPECT_EQ(where("[\"\xC3\xA9\",\n\"\xC3(\"]"), "line 2, column 2") << "not UTF-8";
    EXPECT_EQ(where("[\"a\xE2\x82\"]"), "byte 3") << "truncated inside a character";
    EXPECT_EQ(where("[1,20000000000000000000,-1e999]"), "byte 24") << "outside the range of a double";
    EXPECT_EQ(where("[1,\"\\ud800\",1e999]"), "byte 12");
}

} // namespace
} // namespace vitrine::io
