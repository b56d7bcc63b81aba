#include "loaders/io/json/json.hpp"

#include <gtest/gtest.h>

namespace vitrine::io {
namespace {

LoadResult<JsonDocument> parse(std::string_view text, const Limits& limits = {})
{
    return JsonDocument::parse(std::as_bytes(std::span(text)), limits);
}

TEST(Json, ReadsEveryType)
{
    const auto document = parse(R"({"a":[1,-2.5,1e3,true,null,"x\u00e9\n"],"b":{"c":{}}})");
    ASSERT_TRUE(document) << document.error().detail;
    const JsonValue root = document->root();
    EXPECT_EQ(root.size(), 2u);
    EXPECT_EQ(root["a"].size(), 6u);
    EXPECT_EQ(root["a"][1].number(), -2.5);
    EXPECT_EQ(root["a"][2].unsigned_integer(), 1000u);
    EXPECT_EQ(root["a"][3].boolean(), true);
    EXPECT_EQ(root["a"][4].type(), JsonType::null);
    EXPECT_EQ(root["a"][5].string(), "xé\n");
    EXPECT_TRUE(root["b"]["c"].is_object());
    EXPECT_EQ(root["b"]["c"].key(), "c");
}

TEST(Json, AbsentStaysAbsent)
{
    const auto document = parse("[1]");
    const JsonValue value = document->root()["a"][7]["b"];
    EXPECT_FALSE(value.exists());
    EXPECT_FALSE(value.number());
    EXPECT_EQ(value.size(), 0u);
    for (const JsonValue child : value)
        FAIL() << child.pointer();
}

TEST(Json, ChecksIntegers)
{
    const auto document = parse("[5.0, 5.5, -1, 18446744073709551615, 9007199254740992, \"5\", 5e0]");
    const JsonValue root = document->root();
    EXPECT_EQ(root[0].unsigned_integer(), 5u);
    EXPECT_FALSE(root[1].unsigned_integer());
    EXPECT_FALSE(root[2].unsigned_integer());
    EXPECT_FALSE(root[3].unsigned_integer());
    EXPECT_EQ(root[4].unsigned_integer(), 9007199254740992u);
    EXPECT_FALSE(root[5].unsigned_integer());
    EXPECT_EQ(root[6].unsigned_integer(), 5u);
}

TEST(Json, PointersGiveTheLocation)
{
    const auto document = parse(R"({"meshes":[{},{"a/b~":[0,1]}]})");
    EXPECT_EQ(document->root().pointer(), "");
    EXPECT_EQ(document->root()["meshes"][1]["a/b~"][1].pointer(), "/meshes/1/a~1b~0/1");
}

TEST(Json, UsesAndReportsTheLastDuplicateMember)
{
    const auto document = parse(R"({"x":[{"a":1,"b":2,"a":3}]})");
    EXPECT_EQ(document->root()["x"][0]["a"].number(), 3.0);
    EXPECT_EQ(document->duplicate_key(), "/x/0/a");
    EXPECT_EQ(parse(R"({"a":{"a":1}})")->duplicate_key(), "");
}

TEST(Json, FindsMembersOfLargeObjects)
{
    std::string text = "{";
    for (int n = 0; n < 1000; ++n)
        text += "\"k" + std::to_string(n * 7919 % 1000) + "\":" + std::to_string(n) + ",";
    const auto document = parse(text + "\"k5\":-1}");
    const JsonValue root = document->root();
    for (int n = 0; n < 1000; ++n)
        if (n * 7919 % 1000 != 5) {
            EXPECT_EQ(root["k" + std::to_string(n * 7919 % 1000)].number(), n);
        }
    EXPECT_EQ(root["k5"].number(), -1.0);
    EXPECT_EQ(document->duplicate_key(), "/k5");
    EXPECT_FALSE(root["a"].exists());
    EXPECT_FALSE(root["k1000"].exists());
    EXPECT_FALSE(root["z"].exists());
}

TEST(Json, SkipsTheByteOrderMark)
{
    EXPECT_TRUE(parse("\xEF\xBB\xBF{}")->root().is_object());
}

TEST(Json, ValuesRemainValidAfterMovingTheDocument)
{
    auto document = parse(R"({"a":"text longer than a small string"})");
    const JsonValue value = document->root()["a"];
    const JsonDocument moved = std::move(*document);
    EXPECT_EQ(value.string(), "text longer than a small string");
}

TEST(Json, RejectsInvalidTextWithAReason)
{
    for (const std::string_view text : {"", " ", "{", "{\"a\":}", "[1,]", "nul", "{\"a\" 1}", "[\"\x80\"]",
                                        "[\"a]", "[1e999]", "[01]", "{}{}", "[\"\\ud8zz\"]", "[\"\x01\"]"}) {
        const auto document = parse(text);
        ASSERT_FALSE(document) << text;
        EXPECT_EQ(document.error().code, LoadErrc::malformed) << text;
        EXPECT_FALSE(document.error().detail.empty()) << text;
    }
}

TEST(Json, ReplacesUnpairedSurrogates)
{
    const auto text = [](std::string_view escapes) {
        const auto document = parse("[\"" + std::string(escapes) + "\"]");
        return document ? std::string(document->root()[0].string().value_or("?")) : document.error().detail;
    };
    EXPECT_EQ(text(R"(\ud83d\ude00)"), "😀");
    EXPECT_EQ(text(R"(\ud800 x)"), "\uFFFD x");
    EXPECT_EQ(text(R"(x\uDC00)"), "x\uFFFD");
    EXPECT_EQ(text(R"(\ud800\u0041)"), "\uFFFDA");
    EXPECT_EQ(text(R"(\ud800\ud83d\ude00)"), "\uFFFD😀");
    EXPECT_EQ(text(R"(\ude00\ud83d)"), "\uFFFD\uFFFD");
    EXPECT_EQ(text(R"(\\ud800\ud800\n)"), "\\ud800\uFFFD\n") << "the first is preceded by a backslash";
    const auto keys = parse(R"({"\ud800":1})");
    ASSERT_TRUE(keys);
    EXPECT_EQ(keys->root()["\uFFFD"].number(), 1.0);
}

TEST(Json, ReportsTheLocationOfAnUnpairedSurrogate)
{
    EXPECT_EQ(parse(R"(["\ud83d\ude00"])")->lone_surrogate(), "");
    EXPECT_EQ(parse(R"(["a","\ud800","\ud800"])")->lone_surrogate(), "byte 6");
    EXPECT_EQ(parse("\xEF\xBB\xBF[\n\"\\ud800\"]")->lone_surrogate(), "line 2, column 2");
}

TEST(Json, AcceptsNumbersOfMoreThan64Bits)
{
    const auto document = parse("[18446744073709551616,-100000000000000000000,1,0.5,1e30]");
    ASSERT_TRUE(document) << document.error().detail;
    const JsonValue root = document->root();
    EXPECT_EQ(root[0].number(), 18446744073709551616.0);
    EXPECT_EQ(root[1].number(), -1e20);
    EXPECT_EQ(root[2].unsigned_integer(), 1u);
    EXPECT_EQ(root[4].number(), 1e30);
    EXPECT_EQ(document->lone_surrogate(), "");
}

TEST(Json, LimitsDepth)
{
    Limits limits;
    limits.depth = 20;
    const auto nested = [](std::size_t n) { return std::string(n, '[') + std::string(n, ']'); };
    EXPECT_TRUE(parse(nested(20), limits));
    EXPECT_EQ(parse(nested(30), limits).error().code, LoadErrc::limit_exceeded);
    EXPECT_EQ(parse(nested(1'000'000)).error().code, LoadErrc::limit_exceeded);
}

} // namespace
} // namespace vitrine::io
