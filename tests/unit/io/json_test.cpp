#include "loaders/io/json.hpp"

#include <gtest/gtest.h>

namespace vitrine::io {
namespace {

LoadResult<JsonDocument> parse(std::string_view text, const Limits& limits = {})
{
    return JsonDocument::parse(std::as_bytes(std::span(text)), limits);
}

TEST(Json, ReadsEveryKind)
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

TEST(Json, IntegersAreChecked)
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

TEST(Json, PointersNameThePlace)
{
    const auto document = parse(R"({"meshes":[{},{"a/b~":[0,1]}]})");
    EXPECT_EQ(document->root().pointer(), "");
    EXPECT_EQ(document->root()["meshes"][1]["a/b~"][1].pointer(), "/meshes/1/a~1b~0/1");
}

TEST(Json, LastOfDuplicateMembersCountsAndIsReported)
{
    const auto document = parse(R"({"x":[{"a":1,"b":2,"a":3}]})");
    EXPECT_EQ(document->root()["x"][0]["a"].number(), 3.0);
    EXPECT_EQ(document->duplicate_key(), "/x/0/a");
    EXPECT_EQ(parse(R"({"a":{"a":1}})")->duplicate_key(), "");
}

TEST(Json, LargeObjectsFindTheirMembersToo)
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

TEST(Json, ByteOrderMarkIsSkipped)
{
    EXPECT_TRUE(parse("\xEF\xBB\xBF{}")->root().is_object());
}

TEST(Json, ValuesSurviveAMoveOfTheDocument)
{
    auto document = parse(R"({"a":"text longer than a small string"})");
    const JsonValue value = document->root()["a"];
    const JsonDocument moved = std::move(*document);
    EXPECT_EQ(value.string(), "text longer than a small string");
}

TEST(Json, BrokenTextIsRefusedWithAReason)
{
    for (const std::string_view text : {"", " ", "{", "{\"a\":}", "[1,]", "nul", "{\"a\" 1}", "[\"\x80\"]",
                                        "[\"a]", "[1e999]", "[01]", "{}{}", "[\"\\ud800\"]", "[\"\x01\"]"}) {
        const auto document = parse(text);
        ASSERT_FALSE(document) << text;
        EXPECT_EQ(document.error().code, LoadErrc::malformed) << text;
        EXPECT_FALSE(document.error().detail.empty()) << text;
    }
}

TEST(Json, DepthIsLimited)
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
